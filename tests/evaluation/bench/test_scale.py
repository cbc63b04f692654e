"""Growth over sizes: the table's slopes, one real size, and nothing left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.bench import scale, scale_parts
from polyrag_cli.evaluation.bench.scale import ScalePoint, growth_of, parse_scales, run_scale

PARTS = [
    "ingest",
    "first question",
    "routing decision",
    "vector head",
    "lexical head",
    "soft head",
    "graph walk",
    "SQL linking",
    "whole question",
    "cache lookup",
]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return Settings.load(overrides={"embedder.name": "hashing"}, start=tmp_path)


def point(chunks: int, **costs: float) -> ScalePoint:
    return ScalePoint(chunks // 100, 5, chunks, 4 * chunks, 1, 12, chunks // 10, None, costs)


def test_sizes() -> None:
    assert parse_scales("100, 10,10") == (10, 100)
    for wrong in ("", "0", "a", "10;100", "5001", "-1"):
        with pytest.raises(UsageError, match="--scale"):
            parse_scales(wrong)


def test_growth_is_named_by_the_last_step() -> None:
    points = [point(1000, ingest=10.0, head=1.0), point(10_000, ingest=100.0, head=1.0)]
    points.append(point(100_000, ingest=1000.0, head=10.0))
    ingest, head = growth_of(points)
    assert (ingest.part, ingest.exponent, ingest.last, ingest.name) == ("ingest", 1.0, 1.0, "linear")
    # Slope over x = 0, 1, 2 and y = 0, 0, 1: half of what the last step shows.
    assert (head.costs, head.exponent, head.last, head.name) == ((1.0, 1.0, 10.0), 0.5, 1.0, "linear")
    (alone, _) = growth_of(points[:1])
    assert (alone.exponent, alone.last, alone.name) == (None, None, "")


def test_one_size_is_measured_in_every_part(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale_parts, "ROUNDS", 1)
    told: list[str] = []
    report = run_scale(settings, (1,), told.append)
    (measured,) = report.points
    assert (measured.chunks, measured.tables, measured.files, measured.cache_entries) == (100, 1, 5, 10)
    assert measured.windows > measured.chunks and measured.names >= 12
    assert list(measured.costs) == PARTS and min(measured.costs.values()) > 0
    assert [growth.part for growth in report.growth] == PARTS
    assert report.embedder == "hashing"
    assert any("5 of 5 files" in text for text in told)
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_nothing(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        assert list(tmp_path.iterdir()) != []
        raise KeyboardInterrupt

    monkeypatch.setattr(scale, "question_costs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_scale(settings, (1,))
    assert list(tmp_path.iterdir()) == []
