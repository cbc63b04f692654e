from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from polyrag_cli import Engine
from polyrag_cli.evaluation.bench.csv_rate import csv_rate, write_orders


def test_the_made_up_file_is_always_the_same_and_as_long_as_asked(tmp_path: Path) -> None:
    rows = [write_orders(tmp_path / name, 300_000) for name in ("a.csv", "b.csv")]
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert rows == [5000, 5000]
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 5001
    assert (tmp_path / "a.csv").stat().st_size >= 300_000


def test_a_csv_file_is_measured_beside_plain_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    read: list[str] = []
    pandas.read_csv = lambda path: read.append(path.name)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        rate = csv_rate(engine, 3)
    assert rate.mb >= 3
    assert rate.rows % 5000 == 0
    assert rate.mb_per_s > 0 < rate.duckdb_mb_per_s
    assert rate.of_duckdb == pytest.approx(rate.duckdb_mb_per_s / rate.mb_per_s, rel=0.1)
    assert read == ["orders.csv"]
    assert rate.of_pandas is not None


def test_without_pandas_there_is_no_figure_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        rate = csv_rate(engine, 1)
    assert (rate.pandas_mb_per_s, rate.of_pandas) == (None, None)
