"""Sentence borders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "O Sr. Silva e a Dra. Ana chegaram.",
        "Veja, p. ex. Lisboa, conforme o art. 5 e o n.º 3.",
        "J. K. Rowling lives in the U.S. Army base, No. 5.",
        "Use fruit, e.g. apples, i.e. Malus, etc. for this.",
        "Custa 3.14 reais e 1.234,56 dólares.",
        "uma linha\nque continua aqui.",
        "Wait... and see.",
        '"Really?" he said.',
        "1. Primeiro item",
        "arquivo.csv e v2.0",
        "Built c. 1450 by Warner Bros. Pictures.",
        "Am 3. Oktober kommt Dr. Vogt mit ca. 10 Booten, z.B. der Nr. 5.",
        "La Sra. Ruiz y el Dr. Vega viven en la pág. 3.",
    ],
)
def test_stays_whole(whole: str) -> None:
    assert split(whole) == [whole]


@pytest.mark.parametrize(
    "parts",
    [
        ["Acabou.", "Depois começou!", "E agora?", "Sim"],
        ["I said no.", "Then we left."],
        ["Trouxe pão, leite, etc.", "Depois saiu."],
        ["He lives in the U.S.", "The end."],
        ["Escolha o grupo B.", "A empresa paga."],
        ['Ele disse: "Sim."', "Ela riu."],
        ["isso termina aqui.", "outra começa"],
    ],
)
def test_splits(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_layout_ends_sentences() -> None:
    text = "# Título\ntexto\nsegue\n\n- item a\n- item b\n1. um\n2) dois\n| a | b |\n| 1 | 2 |\nfim"
    expected = ["# Título", "texto\nsegue", "- item a", "- item b", "1. um", "2) dois", "| a | b |", "| 1 | 2 |", "fim"]
    assert split(text) == expected
    assert split(text.replace("\n", "\r\n")) == [part.replace("\n", "\r\n") for part in expected]


def test_other_scripts() -> None:
    assert split("日本。次の文！はい") == ["日本。", "次の文！", "はい"]
    assert split("यह है। वह है।") == ["यह है।", "वह है।"]


def test_nothing_to_split() -> None:
    assert sentences("") == sentences(" \n\t") == []


def test_time_is_linear_in_white_space() -> None:
    # A border pattern that starts anywhere in a run of spaces takes minutes here.
    assert len(sentences("fim." + " " * 300_000 + "x" + "\n \t" * 100_000)) == 1


@given(st.text("aA1. \n\r\t?!。-#|\"'()…etc"))
def test_every_character_is_covered_once(text: str) -> None:
    covered = [i for start, end in sentences(text) for i in range(start, end)]
    assert covered == sorted(set(covered))
    assert {i for i, c in enumerate(text) if not c.isspace()} <= set(covered)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in sentences(text))


def test_what_is_remembered_can_not_be_changed_by_its_reader() -> None:
    sentences("One fell. Two rose.").clear()
    assert sentences("One fell. Two rose.") == [(0, 9), (10, 19)]
