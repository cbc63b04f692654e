from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from polyrag_cli import Engine
from polyrag_cli.evaluation.bench import csv_rate as csv_rate_module
from polyrag_cli.evaluation.bench.csv_rate import csv_rate, write_orders


def test_the_made_up_file_is_always_the_same_and_as_long_as_asked(tmp_path: Path) -> None:
    rows = [write_orders(tmp_path / name, 300_000) for name in ("a.csv", "b.csv")]
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert rows == [5000, 5000]
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 5001
    assert (tmp_path / "a.csv").stat().st_size >= 300_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of fewer rows, which are written by the hundred, for each MB that is asked for."""
    monkeypatch.setattr(csv_rate_module, "_MB", 40_000)
    monkeypatch.setattr(csv_rate_module, "_LINES", 100)


@pytest.mark.usefixtures("small")
def test_a_csv_file_is_measured_beside_plain_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    read: list[str] = []
    pandas.read_csv = lambda path: read.append(path.name)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    took = iter([8.0, 2.0, 4.0])

    def seconds(work: Callable[[], object]) -> float:
        work()
        return next(took)

    monkeypatch.setattr(csv_rate_module, "_seconds", seconds)
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        rate = csv_rate(engine, 1)
    assert 1.0 <= rate.mb < 1.3
    assert rate.rows % 100 == 0
    # Size and rates are rounded each for itself.
    assert 8 * rate.mb_per_s == pytest.approx(rate.mb, abs=0.1)
    assert 2 * rate.duckdb_mb_per_s == pytest.approx(rate.mb, abs=0.1)
    assert (rate.of_duckdb, rate.of_pandas) == (4.0, 2.0)
    assert read == ["orders.csv"]


@pytest.mark.usefixtures("small")
def test_without_pandas_there_is_no_figure_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with Engine.open(data_dir=tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        rate = csv_rate(engine, 1)
    assert (rate.pandas_mb_per_s, rate.of_pandas) == (None, None)
    assert rate.mb_per_s > 0 < rate.duckdb_mb_per_s
    assert rate.of_duckdb > 0
