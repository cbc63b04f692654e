"""Each view looks as its kept pictures show, at three sizes.

`pytest tests/tui/test_snapshots.py --snapshot-update` keeps the pictures of today.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.image import SVGImageSnapshotExtension

from tests.tui.screens.picture import Steps, chat, corpus, drawn, frozen, search, telemetry

QUESTIONS = ("Qual foi a receita total de Amieira?", "What does Regra B2 depend on?", "Quem descobriu o Brasil?")
VIEWS: dict[str, Steps] = {
    "chat": chat(QUESTIONS[0], QUESTIONS[1]),
    "corpus": corpus(),
    "search": search("Mestre de Cais"),
    "telemetry": telemetry(*QUESTIONS, QUESTIONS[0]),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_looks_as_its_pictures(view: str, small_data: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    # The corpus is called after the folder that its data directory lies in.
    data = Path(shutil.copytree(small_data, tmp_path / "ferries" / "data"))
    for file in data.glob("activity.sqlite*"):
        file.unlink()
    kept = snapshot.use_extension(SVGImageSnapshotExtension)
    pictures = drawn(frozen(data, {"embedder.name": "hashing"}), VIEWS[view])
    # All are compared before any of them fails the test.
    same = {size: kept(name=size) == picture for size, picture in pictures.items()}
    assert same == dict.fromkeys(pictures, True)
