"""The README's pictures of the dashboard, drawn by the real application over the demo corpus.

`python -m tests.pictures` draws them anew, and so does `make readme`; tests/test_readme.py compares them. Times stand
still, all else is what the dashboard shows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from polyrag_cli.engine import Engine
from tests.command_line import ROOT
from tests.tui.pilot import WIDE
from tests.tui.screens.picture import Steps, chat, chunk, drawn, frozen

QUESTIONS = (
    "Qual foi a receita bruta total do Teatro Girassol?",
    "Quem preside o conselho que vota a pauta registrada no Ribalta?",
)
# A chunk of the fifth file, one that lies near the boundary between two homes.
PLACE = 0
PICTURES: dict[str, Steps] = {"tui.svg": chat(*QUESTIONS), "tui-corpus.svg": chunk(file=4, place=PLACE)}


def file_of(name: str) -> Path:
    """Where a picture is kept."""
    return ROOT / "eval" / name


def pictures(folder: Path, names: Iterable[str] = PICTURES) -> dict[str, str]:
    """The pictures as they are now, by file name; the demo corpus is ingested below `folder` unless it lies there."""
    # The corpus is called after the folder that its data directory lies in.
    data = folder / "demo" / "data"
    with Engine.open(data_dir=data, config=ROOT / "polyrag.toml") as engine:
        if not engine.has_corpus:
            engine.ingest([ROOT / "demo"])
    found = {}
    for name in names:
        app = frozen(data, {"cache.enabled": False}, ROOT / "polyrag.toml")
        found[name] = drawn(app, PICTURES[name], {"picture": WIDE})["picture"]
    return found


def rewrite() -> None:
    """Draws the pictures and keeps them."""
    with tempfile.TemporaryDirectory() as temporary:
        for name, picture in pictures(Path(temporary)).items():
            file_of(name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
