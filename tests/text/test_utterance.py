"""What is found in a question, and that it is found once."""

from __future__ import annotations

import pytest

from polyrag_cli.text import words as words_module
from polyrag_cli.text.utterance import Utterance, read


def texts(found: Utterance, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [found.text[start:end] for start, end in spans]


def test_what_a_question_holds() -> None:
    asked = read('Which "red kite" did Ana\'s semi-final crew not sell for 2,5 million by 3 May 2024?', "en")
    assert [word.text for word in asked.words][:4] == ["Which", "red", "kite", "did"]
    assert [word.folded for word in asked.parts][4:7] == ["ana", "semi", "final"]
    assert [word.text for word in asked.content][:3] == ["red", "kite", "Ana's"]
    assert [number.value for number in asked.numbers][:1] == [2_500_000.0]
    assert [date.iso for date in asked.dates] == ["2024-05-03"]
    assert [word.text for word in asked.negations] == ["not"]
    assert texts(asked, asked.quoted) == ['"red kite"']
    assert texts(asked, asked.capitals)[0].startswith("Ana")
    assert {"kite", "sell"} <= asked.stems


@pytest.mark.parametrize(
    ("text", "negations"),
    [
        ("Which rooms aren't free?", ["aren't"]),
        ("Which rooms cannot be let?", ["cannot"]),
        ("Quais salas não estão livres e nunca estiveram?", ["não", "nunca"]),
        ("Qual sala fica no norte?", []),
        ("¿Qué salas no están libres?", ["no"]),
    ],
)
def test_negations_are_those_of_the_language(text: str, negations: list[str]) -> None:
    assert [word.text for word in read(text).negations] == negations


def test_a_language_that_is_told_is_believed() -> None:
    assert [word.text for word in read("como sino", "pt").content] == ["sino"]
    assert [word.text for word in read("como sino", "es").content] == []
    assert read("Who pays?").language == "en" and read("KR-07").language == "und"
    assert read("KR-07", "").language == "und"


def test_a_question_is_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def counted(text: str) -> tuple[words_module.Word, ...]:
        taken.append(text)
        return ()

    text = "Which kettle has never been read before this test?"
    monkeypatch.setattr(words_module, "_remembered_words", counted)
    for _ in range(3):
        assert read(text) is read(text, "en")
        assert read(text).words == read(text).content == read(text).parts == ()
    assert taken == [text]


def test_only_the_start_of_a_long_text_is_read() -> None:
    asked = read("boat " * 2000, "en")
    assert asked.start(20_000) is asked
    assert (asked.start(9).text, asked.start(9).language) == ("boat boat", "en")
    assert read("boat " * 2000, "en") == asked
