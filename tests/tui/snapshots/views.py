"""What each view shows in its pictures: always the same small corpus and questions."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.tui.snapshots.picture import SIZES, Steps, chat, corpus, drawn, frozen, search, telemetry

FOLDER = Path(__file__).parent
QUESTIONS = ("Qual foi a receita total de Amieira?", "What does Regra B2 depend on?", "Quem descobriu o Brasil?")
VIEWS: dict[str, Steps] = {
    "chat": chat(QUESTIONS[0], QUESTIONS[1]),
    "corpus": corpus(),
    "search": search("Mestre de Cais"),
    "telemetry": telemetry(*QUESTIONS, QUESTIONS[0]),
}
NAMES = [f"{view}-{size}" for view in VIEWS for size in SIZES]


def file_of(name: str) -> Path:
    """Where a picture is kept."""
    return FOLDER / f"{name}.svg"


def pictures(view: str, small_data: Path, folder: Path) -> dict[str, str]:
    """A view's pictures as they are now, by name. small_data: the small corpus's data directory, copied into `folder`
    first."""
    # The corpus is called after the folder that its data directory lies in.
    data = Path(shutil.copytree(small_data, folder / "ferries" / "data"))
    for file in data.glob("activity.sqlite*"):
        file.unlink()
    found = drawn(frozen(data, {"embedder.name": "hashing"}), VIEWS[view])
    return {f"{view}-{size}": picture for size, picture in found.items()}
