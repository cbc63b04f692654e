"""Latency rows: rounds and warm-ups, cache hits and misses, model time, whole processes with the engine's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.bench.latency import (
    ModelShare,
    cold_rows,
    latency_row,
    model_ms,
    process_ms,
    routing_row,
    warm_run,
)
from polyrag_cli.types import SpanRecord

QUESTION = "Como tudo começou?"


@pytest.fixture
def measured(engine: Engine, tmp_path: Path) -> Engine:
    engine.leave_no_trace(tmp_path)
    return engine


def test_percentiles_are_those_of_all_rounds() -> None:
    row = latency_row("route", "graph", [[1.0, 2.0, 3.0], [], [4.0, 5.0]])
    # Between the closest ranks of 1..5: p95 at position 3.8, p99 at 3.96.
    assert (row.n, row.p50_ms, row.p95_ms, row.p99_ms) == (5, 3.0, 4.8, 4.96)
    assert row.rounds == ((1.0, 2.0, 3.0), (4.0, 5.0))
    with pytest.raises(ValueError, match="at least one value"):
        latency_row("route", "graph", [[]])


def test_warm_ups_do_not_count_and_hits_stand_apart_from_misses(measured: Engine) -> None:
    run = warm_run(measured, [QUESTION, "Regra B1?"], rounds=2, warmups=3)
    rows = {(row.kind, row.name): row for row in run.rows}
    assert rows["span", "ask"].n == 4
    assert [len(one) for one in rows["span", "ask"].rounds] == [2, 2]
    assert sum(row.n for (kind, _), row in rows.items() if kind == "route") == 4
    assert (rows["cache", "miss"].n, rows["cache", "hit"].n) == (4, 4)
    assert [row.kind for row in run.rows] == sorted(
        (row.kind for row in run.rows), key=("route", "cache", "span").index
    )
    assert len(run.machine_ms) == 2 and min(run.machine_ms) > 0


def test_without_a_cache_there_are_no_cache_rows(small_data: Path, tmp_path: Path) -> None:
    overrides = {"embedder.name": "hashing", "cache.enabled": False}
    with Engine.open(data_dir=small_data, overrides=overrides) as engine:
        engine.leave_no_trace(tmp_path)
        assert {row.kind for row in warm_run(engine, [QUESTION], 1, 1).rows} == {"route", "span"}


def test_nothing_to_ask_says_what_to_name(engine: Engine) -> None:
    with pytest.raises(UsageError, match="--questions"):
        warm_run(engine, [], rounds=1, warmups=1)


def test_model_time_is_that_of_the_outermost_model_spans() -> None:
    def span(name: str, parent: int, ms: float) -> SpanRecord:
        return SpanRecord(name, parent, 0.0, ms)

    spans = [
        span("ask", -1, 50.0),
        span("embed.query", 0, 3.0),
        span("pipeline.router", 0, 9.0),
        span("embed.query", 2, 4.0),
        span("chat.stream", 0, 20.0),
        span("embed.query", 4, 2.5),
        span("embedded", 0, 7.0),
    ]
    assert model_ms(spans) == 3.0 + 4.0 + 20.0
    assert model_ms(spans[:1]) == 0.0


def test_the_share_of_models_is_of_a_route_s_whole_time(measured: Engine) -> None:
    (share,) = warm_run(measured, [QUESTION], rounds=2, warmups=1).models
    assert isinstance(share, ModelShare)
    assert share.route == "vectorial" and 0 < share.share < 1 and share.ms > 0


def test_routing_counts_after_the_warm_ups(engine: Engine) -> None:
    row = routing_row(engine, [QUESTION, "Regra B1?"], rounds=2, warmups=1)
    assert (row.kind, row.name, row.n, len(row.rounds)) == ("routing", "decision", 4, 2)


def test_cold_processes_have_the_same_settings_and_one_run_does_not_count(
    small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[list[str]] = []

    def run(arguments: list[str]) -> float:
        seen.append(arguments)
        return float(len(seen))

    with Engine.open(data_dir=small_data, overrides={"embedder.name": "hashing"}) as engine:
        rows = cold_rows(engine, "--balsa", runs=2, run=run)
        root = str(engine.paths.root)
    assert [(row.name, row.rounds) for row in rows] == [
        ("--help", ((2.0,), (3.0,))),
        ("route", ((5.0,), (6.0,))),
        ("ask", ((8.0,), (9.0,))),
    ]
    same = ["--override", "embedder.name=hashing", "--", "--balsa"]
    assert seen[3] == ["--data", root, "route", *same]
    assert seen[6] == ["--data", root, "ask", "--no-cache", *same]


def test_a_process_is_timed_and_one_that_fails_is_not(tmp_path: Path) -> None:
    assert process_ms(["--version"]) > 0
    with pytest.raises(StoreError, match="Nothing is ingested"):
        process_ms(["--data", str(tmp_path / "none"), "ask", "balsa"])
