"""`corpus show` and `search` name what says the same in another language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.command_line import Finished

Run = Callable[..., Finished]
ENGLISH = "# Gate\n\nThe gate is open from 08:15 on, and it is closed at 17:45.\n"
PORTUGUESE = "# Portão\n\nO portão abre às 08:15, e fecha de novo às 17:45.\n"


def test_versions_are_shown(polyrag: Run, tmp_path: Path) -> None:
    for code, text in (("en", ENGLISH), ("pt", PORTUGUESE)):
        path = tmp_path / "docs" / code / "gate.md"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    data = tmp_path / "data"
    assert polyrag("--data", data, "ingest", tmp_path / "docs").code == 0
    shown = polyrag("--data", data, "corpus", "show", "en/gate.md")
    assert shown.out.splitlines()[0] == "translation  pt  pt/gate.md"
    as_json = polyrag("--data", data, "corpus", "show", "en/gate.md", "--json")
    assert as_json.json["versions"] == [{"document": "pt/gate.md", "language": "pt"}]
    found = polyrag("--data", data, "search", "When is the gate open?")
    assert "in pt: pt/gate.md" in found.out
    (same,) = polyrag("--data", data, "search", "--json", "When is the gate open?").json["hits"][0]["same"]
    assert (same["kind"], same["document"], same["language"]) == ("translation", "pt/gate.md", "pt")
