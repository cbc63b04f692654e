"""Cues: what the notation matches in a text, and what it refuses."""

from __future__ import annotations

import pytest

from polyrag_cli.languages.cue_notation import expression
from polyrag_cli.languages.cues import Cues


def found(cue: str, text: str) -> str | None:
    match = Cues((expression(cue),)).search(text)
    return None if match is None else match[0]


@pytest.mark.parametrize(
    ("cue", "text", "match"),
    [
        ("how many", "and how many boats", "how many"),
        ("how many", "show many boats", None),
        ("how many", "how manyfold", None),
        ("trade off", "a trade-off", "trade-off"),
        ("(kind|sort) of", "a sort of boat", "sort of"),
        ("(kind|sort) of", "a form of boat", None),
        ("number [total] of", "number of", "number of"),
        ("number [total] of", "number total of", "number total of"),
        ("[the] boat", "see the boat", "the boat"),
        ("[the] boat", "see boat", "boat"),
        ("compar*", "comparing", "comparing"),
        ("compar*", "to compar", "compar"),
        ("to (*ar|*er)", "to parar", "to parar"),
        ("to (*ar|*er)", "to parir", None),
        ("what _ mean", "what words mean", "what words mean"),
        ("what _ mean", "what mean", None),
        ("what !(is|are)", "what is", None),
        ("what !(is|are)", "what island", "what"),
        ("what !(is|are)", "so what", "what"),
        ("what !(is|are) _", "what boat", "what boat"),
        ("what !(is|are) _", "so what", None),
        ("tell [[it] to (me|us)]", "tell it to us", "tell it to us"),
        ("tell [[it] to (me|us)]", "tell it", "tell"),
        ("% of", "5 % of it", "% of"),
    ],
)
def test_what_a_cue_matches(cue: str, text: str, match: str | None) -> None:
    assert found(cue, text) == match


@pytest.mark.parametrize(
    ("cue", "told"),
    [
        ("", "no word"),
        ("[the]", "no word"),
        ("!is", "no word"),
        ("a (b", r"lacks \)"),
        ("a [b", r"lacks \]"),
        ("a )", "outside brackets"),
        ("a|b", "outside brackets"),
        ("a (b|)", "choice of no word"),
        ("a !", "lacks a word"),
        ("a*b", "beginning or end"),
        ("*", "beginning or end"),
    ],
)
def test_what_the_notation_refuses(cue: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        expression(cue)


def test_the_first_place_counts_and_there_the_first_cue() -> None:
    cues = Cues([expression(cue) for cue in ("boat", "old boat", "old")])
    match = cues.search("an old boat")
    assert match is not None and match[0] == "old boat"
    assert cues.match("an old boat") is None
    assert cues.without("an old boat, old") == "an  ,  "


def test_no_cue_matches_nothing() -> None:
    assert Cues(()).search("") is None
    assert Cues(()).without("boat") == "boat"
