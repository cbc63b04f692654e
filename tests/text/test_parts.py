"""Words as names are compared."""

from __future__ import annotations

import pytest

from polyrag_cli.text.parts import parted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ana's semi-final", [("ana", "Ana"), ("semi", "semi"), ("final", "final")]),
        ("the U.S. Army", [("the", "the"), ("us", "U.S"), ("army", "Army")]),
        ("app_v2 e pós‑venda", [("app", "app"), ("v2", "v2"), ("e", "e"), ("pos", "pós"), ("venda", "venda")]),
        ("no. 5", [("no", "no"), ("5", "5")]),
        ("", []),
    ],
)
def test_parts(text: str, parts: list[tuple[str, str]]) -> None:
    found = parted(text)
    assert [(word.folded, word.text) for word in found] == parts
    assert all(text[word.start : word.end] == word.text for word in found)
