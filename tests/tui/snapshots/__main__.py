"""Draws the pictures of all views anew, or of those that are named."""

import sys
import tempfile
from pathlib import Path

from polyrag_cli.engine import Engine
from tests.conftest import FILES
from tests.tui.snapshots.views import VIEWS, file_of, pictures


def rewrite(views: list[str]) -> None:
    """Draws the pictures of some views."""
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "ferries"
        source.mkdir()
        for name, text in FILES.items():
            (source / name).write_text(text, encoding="utf-8")
        data = Path(temporary) / "data"
        with Engine.open(data_dir=data, overrides={"embedder.name": "hashing"}) as engine:
            engine.ingest([source])
        for view in views:
            for name, picture in pictures(view, data, Path(temporary) / view).items():
                file_of(name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    rewrite(sys.argv[1:] or list(VIEWS))
