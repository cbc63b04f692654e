from __future__ import annotations

import pytest

from polyrag_cli.answering.asked_span import asked_span
from polyrag_cli.answering.expected import Kind
from polyrag_cli.text.utterance import read


@pytest.mark.parametrize(
    ("kind", "question", "text", "language", "said"),
    [
        ("count", "How many hives stand behind the cellar?", "In 1911, 12 men built 40 hives.", "en", "40"),
        ("count", "How many cranes serve the 12 berths?", "2 cranes of 30 tonnes serve its berths.", "en", "2"),
        ("count", "How many did it employ in 2019?", "It employs 19 people in 3 halls.", "en", "19"),
        ("count", "Quantas colmeias há?", "Em 1911 havia quarenta colmeias.", "pt", "quarenta"),
        ("time", "When was the cellar dug?", "A barn of 1900. The cellar was dug on 3 May 1911.", "en", "3 May 1911"),
        ("time", "Quando fechou a adega?", "A adega fechou em 1950.", "pt", "1950"),
        ("duration", "How long can I stay?", "Guests of 40 countries stay 12 weeks.", "en", "12 weeks"),
        ("duration", "How often are hives checked?", "Hives are checked weekly.", "en", "weekly"),
        ("person", "Quem dirige o moinho?", "O moinho é dirigido por Rita Sobral desde 1960.", "pt", "Rita Sobral"),
        ("person", "Who left after Ada Lovell?", "After Ada Lovell came Tove Aldgate.", "en", "Tove Aldgate"),
    ],
)
def test_the_thing_asked_for_that_is_nearest_to_the_questions_words(
    kind: Kind, question: str, text: str, language: str, said: str
) -> None:
    found = asked_span(kind, read(question, language), text, language)
    assert found is not None
    assert text[slice(*found)] == said


@pytest.mark.parametrize(
    ("kind", "question", "text"),
    [
        ("count", "How many hives are there?", "The hives were counted in 1911."),
        ("count", "Are 40 hives enough?", "Yes: 40 hives are enough."),
        ("time", "When was it dug?", "Long ago."),
        ("duration", "How long does it last?", "It lasts."),
        ("person", "Who is Rita Sobral?", "Rita Sobral runs it."),
        ("place", "Where is it?", "In Leeds."),
        ("", "Is it cold?", "It was 4 degrees on 3 May 1911."),
    ],
)
def test_nothing_is_marked_where_nothing_of_the_kind_stands(kind: Kind, question: str, text: str) -> None:
    assert asked_span(kind, read(question, "en"), text, "en") is None


def test_of_equally_near_ones_the_first_is_marked() -> None:
    assert asked_span("count", read("How many?", "en"), "3 or 4", "en") == (0, 1)
