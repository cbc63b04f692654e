"""The scratch place of a data directory: in use it is left alone, after a kill the next writer clears it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.evaluation.bench import csv_rate
from polyrag_cli.evaluation.bench.csv_rate import write_orders
from polyrag_cli.loaders import long_files
from polyrag_cli.stores import staged_rows
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.scratch import scratch, scratch_folder, sweep_scratch

_KILLED = """
import os, sys
from pathlib import Path
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.scratch import scratch_folder
with scratch_folder(DataPaths(Path(sys.argv[1]))) as folder:
    (folder / "rows").write_bytes(b"x" * 1000)
    os.kill(os.getpid(), 9)
"""


def _left(paths: DataPaths) -> list[str]:
    return sorted(path.name for path in paths.scratch.iterdir())


def test_a_folder_is_there_while_it_is_used(tmp_path: Path) -> None:
    paths = DataPaths(tmp_path)
    with scratch_folder(paths) as folder:
        assert scratch.get() == folder
        (folder / "rows").write_text("1")
        # Another writer sees that its owner lives.
        sweep_scratch(paths)
        with scratch_folder(paths) as other:
            assert other != folder
        assert (folder / "rows").exists()
    assert scratch.get() is None
    assert _left(paths) == []


def test_what_a_killed_process_left_goes_with_the_next_writer(tmp_path: Path) -> None:
    paths = DataPaths(tmp_path)
    subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert len(_left(paths)) == 2
    with scratch_folder(paths) as folder:
        assert _left(paths) == [folder.name, f"{folder.name}.lock"]


def test_long_files_are_read_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | None] = []
    make = staged_rows.tempfile.mkdtemp

    def remembered(prefix: str, dir: Path | None) -> str:
        made.append(str(dir))
        return make(prefix=prefix, dir=dir)

    monkeypatch.setattr(staged_rows.tempfile, "mkdtemp", remembered)
    monkeypatch.setattr(csv_rate, "_LINES", 100)
    monkeypatch.setattr(long_files, "LONG_BYTES", 40_000)
    write_orders(tmp_path / "orders.csv", 50_000)
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        engine.ingest([tmp_path / "orders.csv"])
        assert made
        assert all(Path(folder or "").parent == engine.paths.scratch for folder in made)
        assert _left(engine.paths) == []
