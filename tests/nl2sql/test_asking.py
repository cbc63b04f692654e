from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.asking import asked, in_verb_place
from tests.nl2sql.operators.staff import parsed


@pytest.mark.parametrize(
    ("language", "question", "focus", "yes_no", "counts"),
    [
        ("en", "How many employees work in Leeds?", ["employees"], False, True),
        ("pt", "Quantos funcionários trabalham em Leeds?", ["funcionários"], False, True),
        ("en", "Which office has the most employees?", ["office"], False, False),
        ("en", "Does Ada Moss work in Leeds?", ["Ada", "Moss"], True, False),
    ],
)
def test_what_is_asked_for(language: str, question: str, focus: list[str], yes_no: bool, counts: bool) -> None:
    taken = parsed(question, language)
    ask = asked(taken)
    assert [taken.tokens[i].text for i in ask.focus][: len(focus)] == focus
    assert (ask.yes_no, ask.counts) == (yes_no, counts)


def test_opposites_are_two_of_which_one_is_asked() -> None:
    assert [mark.operation for mark in asked(parsed("Is it higher or lower?")).opposites] == ["more", "or_less"]
    assert [mark.operation for mark in asked(parsed("Is it more/less?")).opposites] == ["more", "less"]
    assert asked(parsed("Is it more than ten?")).opposites == ()
    # A slashed pair that isn't opposite says nothing of the pairs behind it.
    assert asked(parsed("Is it above/more?")).opposites == ()
    later = asked(parsed("Sold above/more, is it higher or lower?")).opposites
    assert [mark.operation for mark in later] == ["more", "or_less"]


def test_words_for_taking_part_stand_in_a_verb_s_place() -> None:
    taken = parsed("How many desks were sold in Leeds?")
    assert [taken.tokens[i].text for i in taken.content() if in_verb_place(taken, i)] == ["sold"]
