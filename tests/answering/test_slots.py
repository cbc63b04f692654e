from __future__ import annotations

import pytest

from polyrag_cli.answering.slots import parse, verbatim_key


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Quantos barcos há?", {"count"}),
        ("How many boats are there?", {"count"}),
        ("Qual o número de barcos?", {"count"}),
        ("Quanto custa?", {"amount"}),
        ("Quanto tempo dura?", {"duration"}),
        ("How long is it?", {"duration"}),
        ("Quando abre?", {"when"}),
        ("What year did it open?", {"when"}),
        ("Onde fica?", {"where"}),
        ("Who runs it?", {"who"}),
        ("Por que fechou?", {"why"}),
        ("How does it work?", {"how"}),
        ("Which boat?", {"what"}),
        ("Is it open?", {"yes/no"}),
        ("O barco existe?", set()),
        ("Existe um barco?", set()),
        ("É um barco?", {"yes/no"}),
        ("barcos do porto", set()),
    ],
)
def test_kinds(question: str, kinds: set[str]) -> None:
    assert parse(question).kinds == kinds


@pytest.mark.parametrize(
    ("question", "numbers", "dates"),
    [
        ("as 3 maiores de vinte e quatro", (3.0, 24.0), ()),
        ("the third boat", (3.0,), ()),
        ("Henry VIII", (8.0,), ()),
        ("receita de março", (), ("--03",)),
        ("revenue in March 2024", (), ("2024-03",)),
        ("em 2024", (), ("2024",)),
        ("12% of it", (12.001,), ()),
    ],
)
def test_figures(question: str, numbers: tuple[float, ...], dates: tuple[str, ...]) -> None:
    slots = parse(question)
    assert (slots.numbers, slots.dates) == (numbers, dates)


@pytest.mark.parametrize(
    ("question", "negated"),
    [
        ("Quem não veio?", True),
        ("who didn't come", True),
        ("without sugar", True),
        ("not without sugar", False),
        ("no porto do norte", False),
        ("is there no boat", True),
    ],
)
def test_negation_is_a_parity(question: str, negated: bool) -> None:
    assert parse(question).negated is negated


@pytest.mark.parametrize(
    "polite",
    [
        "Por favor, quem dirige o porto?",
        "Você sabe quem dirige o porto?",
        "Oi, você pode me dizer quem dirige o porto?",
        "Gostaria de saber quem dirige o porto, por favor.",
        "Me diga quem dirige o porto",
    ],
)
def test_politeness_leaves_nothing(polite: str) -> None:
    plain, said = parse("Quem dirige o porto?"), parse(polite)
    assert [t.folded for t in said.tokens] == [t.folded for t in plain.tokens]
    assert said.kinds == plain.kinds


def test_roles_and_names() -> None:
    tokens = {t.folded: t for t in parse("How do boats go from Alba to Vila Torta with AB-1?").tokens}
    assert tokens["alba"].marker == "from"
    assert tokens["vila"].marker == tokens["torta"].marker == "to"
    assert tokens["ab-1"].name and tokens["alba"].name and not tokens["boats"].name


@pytest.mark.parametrize(
    ("word", "end"),
    [("maior", ("size", 0)), ("lowest", ("size", 1)), ("sudeste", ("compass", 6)), ("compradores", ("trade", 0))],
)
def test_axes(word: str, end: tuple[str, int]) -> None:
    assert end in parse(word).axes


def test_verbatim_key_keeps_signs_that_carry_meaning() -> None:
    assert verbatim_key("  Qual é a RECEITA? ") == verbatim_key("qual e a receita")
    assert verbatim_key("C++") != verbatim_key("C")
    assert verbatim_key("5 + 3") != verbatim_key("5 - 3") or verbatim_key("5 + 3") != verbatim_key("5 3")
    assert verbatim_key("custo < 5") != verbatim_key("custo > 5")


def test_a_very_long_question_is_not_compared() -> None:
    assert parse("barco " * 200).exact is False
    assert parse("barco").exact is True
