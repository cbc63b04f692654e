"""Long CSV files from the command line to questions: bounded memory, the same answers, nothing swept that is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.evaluation.bench import csv_rate
from polyrag_cli.evaluation.bench.csv_rate import write_orders
from polyrag_cli.loaders import long_files

_MEASURED = """
import json, resource, sys
from polyrag_cli import Engine
with Engine.open(data_dir=sys.argv[2], overrides={"embedder.name": "hashing"}) as engine:
    engine.ingest([sys.argv[1]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"kb": used.ru_maxrss, "cpu": used.ru_utime + used.ru_stime}))
"""


def test_a_long_file_is_asked_shown_kept_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, told = tmp_path / "orders.csv", list[str]()
    monkeypatch.setattr(csv_rate, "_LINES", 100)
    rows = write_orders(path, 90_000)
    monkeypatch.setattr(long_files, "LONG_BYTES", 90_000)
    tables = tmp_path / "data" / "tables"
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        report = engine.ingest([path], on_progress=lambda done, total, name, chunks: told.append(name))
        assert report.files[0].status == "added"
        assert report.files[0].tables[0].rows == rows
        assert set(told) >= {"orders.csv"}
        names = sorted(file.name for file in tables.iterdir())
        assert [name.partition(".")[2] for name in names] == ["rows.parquet", "source.parquet"]
        lines = path.read_text().splitlines()
        assert engine.sql("SELECT count(*) FROM orders").rows == ((rows,),)
        assert engine.table_as_text("orders", 2)[0] == lines[0].split(",")
        cells = engine.table_as_text("orders")
        assert len(cells) == rows + 1
        assert ",".join(cells[-1][:7]) == lines[-1].split(',"')[0]
        before = engine.corpus.health()["fingerprint"]
        assert engine.ingest([path]).files[0].status == "unchanged"
        # A lost file of the source is noticed, and written anew.
        (tables / names[1]).unlink()
        assert engine.ingest([path]).files[0].status == "updated"
        assert engine.corpus.health()["fingerprint"] == before
        assert sorted(file.name for file in tables.iterdir()) == names
        engine.remove("orders.csv")
        assert engine.corpus.tables() == ()


@pytest.mark.long
@pytest.mark.parametrize("mb", [100, 400])
def test_memory_is_bounded_however_long_a_file_is(tmp_path: Path, mb: int) -> None:
    path = tmp_path / "orders.csv"
    write_orders(path, mb * 1_000_000)
    run = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(path), str(tmp_path / "data")], capture_output=True, text=True, check=True
    )
    used = json.loads(run.stdout)
    assert used["kb"] < 1_000_000
    # Two cores at 40 MB/s have 0.05 s for each MB; a machine that does other things needs several times as long.
    assert used["cpu"] < mb * 0.25
