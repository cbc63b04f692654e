"""The language files beside each other: what is named in one is named in all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from polyrag_cli.languages import all_languages

# By names of our own; elsewhere a mapping's keys are the language's words.
NAMED = (
    ("greetings", "replies"),
    ("arithmetic", "signs"),
    ("arithmetic", "replies"),
    ("expected", "kinds"),
    ("slots", "kinds"),
    ("slots", "hard"),
    ("slots", "markers"),
    ("slots", "tenses"),
    ("slots", "axes"),
    ("slots", "concepts"),
)
CODES = [each.code for each in all_languages()]


def named(code: str, table: str, key: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(getattr(next(x for x in all_languages() if x.code == code), table), key)
    return found


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(("table", "key"), NAMED)
def test_names_and_their_order_are_the_same(code: str, table: str, key: str) -> None:
    assert list(named(code, table, key)) == list(named("en", table, key))


@pytest.mark.parametrize("code", CODES)
def test_axes_have_the_same_number_of_ends(code: str) -> None:
    ends = {axis: len(words) for axis, words in named(code, "slots", "axes").items()}
    assert ends == {axis: len(words) for axis, words in named("en", "slots", "axes").items()}


@pytest.mark.parametrize("code", CODES)
def test_an_axis_has_two_ends_or_none(code: str) -> None:
    # An axis of which a language knows one end alone would part nothing: at least two, or none.
    for axis, ends in named(code, "slots", "axes").items():
        assert sum(map(bool, ends)) != 1, axis


@pytest.mark.parametrize("code", CODES)
def test_beginnings_of_concepts_are_long_enough_to_be_found(code: str) -> None:
    # They are looked up by their first three letters.
    for concept, words in named(code, "slots", "concepts").items():
        assert all(len(word.removesuffix("*")) >= 3 for word in words if word.endswith("*")), concept
