from __future__ import annotations

import pytest

from polyrag_cli.text.utterance import read


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Quem é Ana de Sá e o que faz a Casa do Sol?", ["Ana de Sá", "Casa do Sol"]),
        ("Which rule covers AB-12 at Fort Grey?", ["AB-12", "Fort Grey"]),
        ("what is the rule", []),
        ("Which boats of El Faro and Casa for Dogs sank?", ["El Faro", "Casa", "Dogs"]),
        ("WHAT IS THE RULE", []),
        ("Compare as salas", []),
        ("is the US first?", ["US"]),
        ("Welche Halle prüft Karla Wiese mit der Firma Nordlicht?", ["Karla Wiese", "Nordlicht"]),
        ("Vergleiche die Regeln für Weber und für die K-7", ["Weber", "K-7"]),
        ("Wie teuer ist jede Rechnung?", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in read(text).capitals] == names
