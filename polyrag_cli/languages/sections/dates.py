"""Owns the table `[dates]`: words of time."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.kinds import AS_WRITTEN
from polyrag_cli.languages.section import Section


class Dates(Section):
    """Words of time.

    month_first: whether 03/12 is the twelfth of March.
    months, weekdays: names and abbreviations of each, from January and from Monday.
    ambiguous_months: month words that mean something else more often ("may", "set").
    month_cues: words before which and behind which such a word is a month ("in", "since").
    month_joints: what may stand between a day, its month and its year ("de", "of").
    day_marks: what may stand directly behind a day's number ("st", "º").
    parts: parts of a year with their length in months.
    days: words for a day by its distance from today. periods: words for each period: day, week, month, year.
    this, last, next: what makes a period the running one, the one before, the one behind.
    """

    month_first: bool
    months: tuple[frozenset[str], ...]
    weekdays: tuple[frozenset[str], ...]
    ambiguous_months: frozenset[str]
    month_cues: frozenset[str]
    month_joints: frozenset[str]
    day_marks: Annotated[frozenset[str], AS_WRITTEN]
    parts: Mapping[str, int]
    days: Mapping[str, int]
    periods: Mapping[str, frozenset[str]]
    this: frozenset[str]
    last: frozenset[str]
    next: frozenset[str]
