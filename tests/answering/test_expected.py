from __future__ import annotations

import pytest

from polyrag_cli.answering.expected import asks_for_a_number, expected, full_names, interrogative, kinds_of
from polyrag_cli.text.language import detect
from polyrag_cli.text.utterance import read
from polyrag_cli.text.words import words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Quem aprova?", "person"),
        ("Who signs?", "person"),
        ("Quando ocorre?", "time"),
        ("Em que ano abriu?", "time"),
        ("How long does it take?", "duration"),
        ("How often is it checked?", "duration"),
        ("Quanto tempo leva?", "duration"),
        ("¿Con qué frecuencia se revisa?", "duration"),
        ("Wie lange dauert die Prüfung?", "duration"),
        ("Quantas pessoas?", "count"),
        ("How many rooms?", "count"),
        ("Onde fica?", "place"),
        ("In which city is it?", "place"),
        ("Por que fechou?", "reason"),
        ("Why did it close?", "reason"),
        ("O que é um laudo?", "definition"),
        ("What is haze?", "definition"),
        ("What does the word haze mean?", "definition"),
        ("What does the abbreviation KR stand for?", "definition"),
        ("What is the price of haze?", ""),
        ("O que vem a ser um laudo?", "definition"),
        ("O que se entende por laudo?", "definition"),
        ("Qual regra vale?", "name"),
        ("Which rule holds?", "name"),
        ("Como se chama a loja?", "name"),
        ("Como se chama a pessoa que assina?", "person"),
        ("What is the name of the person in charge?", "person"),
        ("Wer unterschreibt die Rechnung?", "person"),
        ("Wie viele Räume gibt es?", "count"),
        ("In welchem Jahr wurde das Haus gebaut?", "time"),
        ("Welche Stadt ist gemeint?", "place"),
        ("Warum wurde die Halle geschlossen?", "reason"),
        ("Was ist ein Laufzettel?", "definition"),
        ("¿Quién firma la factura?", "person"),
        ("¿Cuántas salas hay?", "count"),
        ("¿En qué año se abrió la casa?", "time"),
        ("¿Por qué se cerró la nave?", "reason"),
        ("¿Qué es un albarán?", "definition"),
        ("conte a história", ""),
    ],
)
def test_expected(question: str, kind: str) -> None:
    assert expected(read(question)) == kind


@pytest.mark.parametrize(
    ("text", "language", "kinds"),
    [
        ("Levou vinte e seis meses.", "pt", {"count", "time", "duration"}),
        ("It takes 12 weeks.", "en", {"count", "time", "duration"}),
        ("It is checked weekly.", "en", {"time", "duration"}),
        ("Es dauert drei Tage.", "de", {"count", "time", "duration"}),
        ("Se revisa mensualmente.", "es", {"time", "duration"}),
        ("Abriu em 2011.", "pt", {"time"}),
        ("The first years were slow.", "en", set()),
        ("It has 12 rooms for many weeks.", "en", {"count"}),
        ("Abriu em 12 de maio de 2004.", "pt", {"time"}),
        ("It is run by Ann Lee.", "en", {"person", "place", "name"}),
        ("O comitê decide.", "pt", {"person"}),
        ("It closed because it rained.", "en", {"reason"}),
        ("Haze is the mist of a machine.", "en", {"definition"}),
        ("Die Werft wurde verkauft, weil es regnete.", "de", {"reason"}),
        ("Die Werft gehört Hanna Brandt.", "de", {"person", "place", "name"}),
        ("Die Werft zahlt jede Rechnung.", "de", set()),
        ("nada disso aconteceu", "pt", set()),
    ],
)
def test_kinds_of_a_sentence(text: str, language: str, kinds: set[str]) -> None:
    assert kinds_of(text, words(text), language) == kinds


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Por quantos anos se guarda?", True),
        ("How long may it take?", True),
        ("Qual é o prazo?", True),
        ("When was it built?", False),
        ("Quem assina?", False),
    ],
)
def test_who_wants_a_number(question: str, asks: bool) -> None:
    assert asks_for_a_number(read(question)) is asks


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It is run by Ann Lee.", [{"ann", "lee"}]),
        ("O laudo é de João da Silva.", [{"joao", "da", "silva"}]),
        ("Quem cozinha é dona Zefa.", [{"dona", "zefa"}]),
        ("A loja fica em Ouro.", []),
        ("no names here", []),
    ],
)
def test_full_names(text: str, names: list[set[str]]) -> None:
    assert [set(name) for name in full_names(text, detect(text))] == names


def test_a_single_capital_is_a_place_or_a_name_but_no_person() -> None:
    text = "A loja fica em Ouro."
    assert kinds_of(text, words(text), "pt") == {"place", "name"}


@pytest.mark.parametrize(
    ("question", "language", "words"),
    [
        ("How long does the course last?", "en", {"how", "long"}),
        ("Quanto tempo dura o curso?", "pt", {"quanto", "tempo"}),
        ("Quantas semanas dura o curso?", "pt", {"quantas"}),
        ("How long is the list of where?", "en", {"how", "long"}),
        ("Who waits long?", "en", set()),
    ],
)
def test_words_that_ask_how_long_are_no_part_of_an_answer_but_units_are(
    question: str, language: str, words: set[str]
) -> None:
    assert interrogative(read(question, language)) == words
