"""Capitals are evidence of a name: all of them in most languages; by what stands around them where nouns have them."""

from __future__ import annotations

import pytest

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.text.capitals import adjectival, capital_names
from polyrag_cli.text.words import words


def marked(text: str, code: str) -> list[str]:
    found = words(text)
    return [word.text for word, name in zip(found, capital_names(found, language(code)), strict=True) if name]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gebaut wurde die Werft von Hanna Brandt in Bremen", ["Hanna", "Brandt", "Bremen"]),
        ("heute leitet Petersen den Betrieb", ["Petersen"]),
        ("das Holz liefert die Firma Sägewerk Ohlsen", ["Sägewerk", "Ohlsen"]),
        ("jede Bestellung prüft das Team von Karla Wiese", ["Karla", "Wiese"]),
        ("sie kaufte 5 Liter Milch und drei Brote", []),
        ("neue Karten lagern im Magazin", []),
        ("nach Prüfung und Genehmigung zahlt Lindner", ["Lindner"]),
        ("die Neue Werft gehört der Reederei Möwe", ["Neue", "Werft", "Möwe"]),
        ("er fährt mit der K-7 zum TÜV", ["K-7", "TÜV"]),
    ],
)
def test_names_where_nouns_have_capitals(text: str, names: list[str]) -> None:
    assert marked(text, "de") == names


@pytest.mark.parametrize("code", ["en", "pt", "es", UNDETERMINED])
def test_elsewhere_every_capital_is_evidence(code: str) -> None:
    assert marked("the Board met in the Hall", code) == ["Board", "Hall"]


def test_what_looks_like_an_adjective() -> None:
    german = language("de")
    assert [adjectival(word, german) for word in ("neue", "kleinen", "jede", "baute", "wer")] == [True, True] + [
        False
    ] * 3
    assert not adjectival("note", language("en"))
