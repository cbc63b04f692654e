"""Owns the table `[numbers]`: number words and how they are put together."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.kinds import AS_WRITTEN
from polyrag_cli.languages.section import Section


class Numbers(Section):
    """Number words.

    words: of the numbers under a thousand that have a word of their own. hundred: a word that multiplies what stands
    before it ("two hundred"). scales: thousand, million and so on; lone_scales: those that count without a number
    before them. collectives: dozen and the like.
    one: words for one that are more often an article, counted only before a scale, a collective or one of `measured`;
    articles: articles that are no number word, counted only before a scale or a collective.
    halves: half. and_a_half: what adds a half to the number before it.
    connectors: what may join a hundred or a scale to the rest; tens_joints: what may join a ten to its unit.
    unit_joint: in numbers of one word, what stands between a unit and the ten behind it (German "und"); "" where
    numbers aren't written in one word.
    ordinals: first, second and so on, in all their forms. ordinal_marks: what a figure bears to be one ("1st", "2ª").
    suffixes: letters behind digits that scale them, where capitals count. percent: what says percent behind a figure.
    """

    words: Mapping[str, int]
    hundred: frozenset[str]
    scales: Mapping[str, int]
    lone_scales: frozenset[str]
    collectives: Mapping[str, int]
    one: frozenset[str]
    articles: frozenset[str]
    measured: frozenset[str]
    halves: frozenset[str]
    and_a_half: tuple[tuple[str, ...], ...]
    connectors: frozenset[str]
    tens_joints: frozenset[str]
    unit_joint: str
    ordinals: Mapping[str, int]
    ordinal_marks: frozenset[str]
    suffixes: Annotated[Mapping[str, int], AS_WRITTEN]
    percent: tuple[tuple[str, ...], ...]
