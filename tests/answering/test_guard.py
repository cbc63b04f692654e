from __future__ import annotations

import pytest

from polyrag_cli.answering.alignment import align
from polyrag_cli.answering.guard import compare, explain
from polyrag_cli.answering.slots import parse


def _cosine(a: str, b: str) -> float:
    """Two words that mean the same, two that don't, everything else unlike."""
    return {("barco", "navio"): 0.8, ("boat", "ship"): 0.8, ("porto", "praia"): 0.6}.get((a, b), 0.1)


def _same(a: str, b: str) -> bool:
    verdict = compare(parse(a), parse(b), 0.26, _cosine)
    assert verdict == compare(parse(b), parse(a), 0.26, _cosine) or not verdict.same
    assert compare(parse(b), parse(a), 0.26, _cosine).same is verdict.same
    assert bool(verdict.reason) is not verdict.same
    return verdict.same


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Qual foi a carga total do porto Norte?", "qual foi a carga total do porto norte"),
        ("Qual foi a carga total do porto Norte?", "Por favor, qual foi a carga total do porto Norte?"),
        ("Qual foi a carga total do porto Norte?", "Você sabe qual foi a carga total do porto Norte?"),
        ("Qual foi a carga total do porto Norte?", "Me diga a carga total do porto Norte"),
        ("Qual foi a carga total do porto Norte?", "No porto Norte, qual foi a carga total?"),
        ("Qual foi a carga total do porto Norte?", "Qual é a carga total do porto Norte?"),
        ("What is the total load of the port?", "what's the total load of the port"),
        ("What is the total load of the port?", "Could you please tell me the total load of the port?"),
        ("What is the load of the port?", "What are the loads of the ports?"),
        ("Quem pintou o barco?", "Quem pintou o navio?"),
        ("Who painted the boat?", "Who painted the ship?"),
        ("Wer leitet die Werft in Bremen?", "Bitte, wer leitet die Werft in Bremen?"),
        ("¿Quién dirige el taller de Alba?", "Por favor, ¿quién dirige el taller de Alba?"),
        ("Wer ist Hanna Brandt?", "Who is Hanna Brandt?"),
        ("How do boats go from Alba to Torta?", "How do boats go to Torta from Alba?"),
        ("pesca e turismo em Alba", "turismo e pesca em Alba"),
        ("receita de março", "Qual a receita em março?"),
    ],
)
def test_the_same_question(a: str, b: str) -> None:
    assert _same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Quem dirige o porto de Alba?", "Quem dirige o porto de Torta?"),
        ("Quem pintou 3 barcos?", "Quem pintou 4 barcos?"),
        ("Wer prüft die größte Halle?", "Wer prüft die kleinste Halle?"),
        ("Wer hat die Halle geprüft?", "Wer hat die Halle nicht geprüft?"),
        ("Wann öffnet die Halle?", "Wo öffnet die Halle?"),
        ("¿Quién firma antes de la venta?", "¿Quién firma después de la venta?"),
        ("¿Cuál es la sala mayor?", "¿Cuál es la sala menor?"),
        ("Wer leitet die Werft in Bremen?", "Who runs the yard in Hamburg?"),
        ("Quem pintou três barcos?", "Quem pintou quatro barcos?"),
        ("Qual a carga de 2023?", "Qual a carga de 2024?"),
        ("Qual a carga de março?", "Qual a carga de abril?"),
        ("Quem veio?", "Quem não veio?"),
        ("Who came to the port?", "Who didn't come to the port?"),
        ("Qual o maior barco?", "Qual o menor barco?"),
        ("which port shipped the most", "which port shipped the least"),
        ("which port shipped the most", "which port shipped"),
        ("How do boats go from Alba to Torta?", "How do boats go from Torta to Alba?"),
        ("boats to Alba", "boats from Alba"),
        ("When was the boat painted?", "Where was the boat painted?"),
        ("Quantos barcos chegaram?", "Quais barcos chegaram?"),
        ("Qual a carga total do porto?", "Qual a carga do porto?"),
        ("Qual a carga do porto?", "Qual a carga do porto antigo?"),
        ("Quem pintou o porto?", "Quem pintou a praia?"),
        ("Cats chase mice?", "Mice chase cats?"),
        ("Should the boat be painted?", "Was the boat painted?"),
        ("Quem venceu antes da regata?", "Quem venceu depois da regata?"),
        ("Quem dirige o porto?", "Quem dirige o porto e quem pintou o barco?"),
        ("Who will paint the boat?", "Who was to paint the boat?"),
        ("Receita do Nordeste", "Receita do Sudeste"),
        ("what is it", "who is it"),
    ],
)
def test_another_question(a: str, b: str) -> None:
    assert not _same(a, b)


def test_at_most_one_word_may_be_a_synonym() -> None:
    assert not _same("barco e boat em Alba", "navio e ship em Alba")


def test_max_unmatched_admits_light_words_only() -> None:
    a, b = parse("barco disponível de Alba"), parse("barco de Alba")
    assert compare(a, b, 0.26, _cosine).same
    assert not compare(a, b, 0.1, _cosine).same


def test_a_general_word_is_meant_where_it_is_all_that_is_added() -> None:
    added = parse("What are the main ports of Alba?"), parse("What are the ports of Alba?")
    assert compare(*added, 0.26, _cosine).reason == "'main' is unmatched"
    reworded = parse("What are the main boats of Alba?"), parse("In Alba, what are the ships?")
    assert compare(*reworded, 0.26, lambda a, b: 0.9).same


def test_words_of_the_corpus_count_whatever_they_mean_elsewhere() -> None:
    a, b = "what were the sales in me", "what were the sales in ok"
    assert compare(parse(a), parse(b), 0.26, _cosine).same
    values = frozenset(("me", "ok"))
    assert compare(parse(a, values), parse(b, values), 0.26, _cosine).reason == "'me' is unmatched"


def test_explain_compares_every_slot() -> None:
    found = explain(parse("Who sold 3 boats?"), parse("Who sold 4 boats from Alba?"), 0.26, _cosine)
    differ = {check.slot: check.reason for check in found.checks if check.reason}
    assert found.reason == "numbers differ"
    assert list(differ) == ["numbers", "words"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        # Words that a language file groups need no embedder; a shared axis parts them all the same.
        ("Why protect the harbour?", "Why preserve the harbour?", True),
        ("Por que proteger o porto?", "Por que preservar o porto?", True),
        ("¿Por qué proteger el puerto?", "¿Por qué preservar el puerto?", True),
        ("Which firm bought the pier?", "Which company purchased the pier?", True),
        ("Which firm bought the pier?", "Which company sold the pier?", False),
        ("Which boats does line 3 join?", "Which boats are joined by line 3?", True),
        ("Line 3 joins which boats?", "Which boats are joined by line 3?", True),
        ("Which boats join line 3?", "Which boats are joined by line 3?", False),
        ("Which boats stop in Alba and Torta?", "Which boats stop in Alba or Torta?", False),
        ("In which city was Silva born?", "Where was Silva born?", True),
        ("In which city was Silva born?", "In which country was Silva born?", False),
        ("Why did the pump fail?", "For what reason did the pump fail?", True),
    ],
)
def test_words_of_one_meaning_and_turned_sentences(a: str, b: str, same: bool) -> None:
    for one, other in ((a, b), (b, a)):
        found = compare(parse(one), parse(other), 0.26, lambda x, y: float(x == y))
        assert found.same is same, found.reason


def test_a_cognate_is_a_long_word_spelled_nearly_alike() -> None:
    def near(_: str, __: str) -> float:
        return 0.35

    assert align(parse("What is the temperature?"), parse("Qual é a temperatura?"), near).pairs == ((0, 0),)
    # A shorter word may be a false friend.
    assert align(parse("How many states are there?"), parse("Wie viele Städte gibt es?"), near).pairs == ()
    # Lower-case names that are spelled nearly alike end in nothing that languages share.
    assert align(parse("What is in arkansas?"), parse("O que fica no alaska?"), near).pairs == ()


def test_explain_names_the_meaning_that_words_share() -> None:
    found = explain(parse("Why protect the harbour?"), parse("Why preserve the harbour?"), 0.26, _cosine)
    assert next(c.question for c in found.checks if c.slot == "near words") == "protect ~ preserve (protect)"
