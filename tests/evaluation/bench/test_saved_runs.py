"""A saved run read back and compared: planted slow-downs by name, damaged files by their own."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.bench.bench import FORMAT, About, BenchReport
from polyrag_cli.evaluation.bench.latency import latency_row
from polyrag_cli.evaluation.bench.load import IngestRate, ThroughputRow
from polyrag_cli.evaluation.bench.machine import Memory
from polyrag_cli.evaluation.bench.saved_runs import compare, load_run
from polyrag_cli.types import as_json

ABOUT = About("1.0", "3.11.7", 2, "hashing-256-1", "c" * 16, "f" * 64, 3, 100, 4, "q" * 64, (5.0, 5.0, 5.0))


def report(seed: int, **factors: float) -> BenchReport:
    """A run of made-up samples; factors slow rows down by their name."""
    rng = np.random.default_rng(seed)

    def samples(name: str, base: float, count: int = 12) -> Any:
        lengths = base * np.linspace(0.5, 3.0, count)
        return (factors.get(name, 1.0) * lengths * np.exp(rng.normal(0.0, 0.03, (4, count)))).tolist()

    rows = tuple(
        latency_row(kind, name, samples(name, base))
        for kind, name, base in (
            ("routing", "decision", 2.0),
            ("route", "graph", 12.0),
            ("route", "relational", 9.0),
            ("cache", "hit", 0.9),
            ("span", "ask", 10.0),
        )
    )
    rates = tuple(round(50.0 / factors.get("clients", 1.0) * float(rng.normal(1.0, 0.01)), 2) for _ in range(3))
    ingest = IngestRate(10, 100, 400, 4, 2.0, 50.0, 200.0, 200.0)
    throughput = (ThroughputRow(4, 36, rates[0], 10.0, 30.0, rates),)
    return BenchReport(FORMAT, ABOUT, 12, rows, throughput, (), Memory(100.0, 120.0), ingest)


def saved(folder: Path, run: BenchReport) -> Path:
    path = folder / "run.json"
    path.write_text(json.dumps(as_json(run)))
    return path


@pytest.mark.parametrize("seed", range(20))
def test_an_unchanged_run_is_equal_in_every_row(tmp_path: Path, seed: int) -> None:
    comparison = compare(load_run(saved(tmp_path, report(0))), report(50 + seed))
    assert {row.verdict for row in comparison.rows} == {"same", "too few"}
    assert [row.name for row in comparison.rows if row.verdict == "too few"] == ["chunks per second"]
    assert (comparison.machine, comparison.differences, comparison.only) == (1.0, (), ())


def test_a_planted_slow_down_is_found_and_nothing_else(tmp_path: Path) -> None:
    comparison = compare(load_run(saved(tmp_path, report(0))), report(1, graph=1.4, hit=0.6, clients=1.5))
    verdicts = {f"{row.kind} {row.name}": row.verdict for row in comparison.rows}
    assert verdicts == {
        "routing decision": "same",
        "route graph": "slower",
        "route relational": "same",
        "cache hit": "faster",
        "span ask": "same",
        "throughput 4 clients": "slower",
        "ingest chunks per second": "too few",
    }
    graph = next(row for row in comparison.rows if row.name == "graph")
    assert graph.ratio == pytest.approx(1.4, rel=0.05) and graph.new / graph.old == pytest.approx(1.4, rel=0.1)
    assert [row.name for row in comparison.slower_than(1.2)] == ["graph", "4 clients"]
    assert [row.name for row in comparison.slower_than(1.45)] == ["4 clients"]
    assert comparison.slower_than(2.0) == ()


def test_what_else_differs_is_said(tmp_path: Path) -> None:
    about = replace(ABOUT, version="1.1", fingerprint="a" * 64, generation=4, cores=8, machine_ms=(10.0, 10.0, 10.0))
    comparison = compare(load_run(saved(tmp_path, report(0))), replace(report(1), about=about))
    assert comparison.machine == 2.0
    assert comparison.differences == (
        "version: 1.0 → 1.1",
        "cores: 2 → 8",
        "corpus: ffffffffffff → aaaaaaaaaaaa",
        "corpus generation: 3 → 4",
    )


def test_rows_of_one_run_alone_are_named(tmp_path: Path) -> None:
    now = report(1)
    now = replace(now, rows=(*now.rows[1:], latency_row("route", "direct", [[1.0, 2.0, 3.0]])))
    comparison = compare(load_run(saved(tmp_path, report(0))), now)
    assert comparison.only == ("routing decision (saved run)", "route direct (this run)")


def asking(run: BenchReport, *questions: str) -> BenchReport:
    about = replace(run.about, questions_hash="|".join(questions))
    return replace(run, about=about, questions=len(questions), asked=questions)


def test_questions_of_one_run_alone_are_known(tmp_path: Path) -> None:
    old, new = asking(report(0), "a?", "b?", "c?"), asking(report(1), "c?", "d?")
    comparison = compare(load_run(saved(tmp_path, old)), new)
    assert (comparison.only_before, comparison.only_now, comparison.paired) == (("a?", "b?"), ("d?",), False)
    same = compare(load_run(saved(tmp_path, old)), old)
    assert (same.only_before, same.only_now, same.paired) == ((), (), True)
    # Of one round, rates are all that can be compared sample by sample.
    once = replace(old, rows=tuple(latency_row(row.kind, row.name, row.rounds[:1]) for row in old.rows))
    assert not compare(load_run(saved(tmp_path, once)), once).paired


def test_a_run_that_does_not_name_its_questions_is_compared_all_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path, report(0))
    value = json.loads(path.read_text())
    del value["asked"]
    path.write_text(json.dumps(value))
    assert compare(load_run(path), report(1)).paired
    other = compare(load_run(path), asking(report(1), "c?"))
    assert (other.only_before, other.only_now, other.paired) == (None, None, False)


def test_a_span_of_no_time_has_a_ratio(tmp_path: Path) -> None:
    nothing = replace(report(0), rows=(latency_row("span", "x", [[0.0] * 4] * 3),))
    (row, *_) = compare(load_run(saved(tmp_path, nothing)), nothing).rows
    assert (row.ratio, row.verdict) == (1.0, "same")


def _without(*keys: str) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        for key in keys[:-1]:
            value = value[key]
        del value[keys[-1]]

    return change


def _with(key: str, new: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value.update({key: new})


@pytest.mark.parametrize(
    "change",
    [
        _without("about"),
        _without("about", "machine_ms"),
        _without("rows"),
        _without("throughput"),
        _with("about", []),
        _with("rows", [{"kind": "route", "name": "graph"}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": []}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [[]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [[-1.0]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [["fast"]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": 3}]),
        _with("rows", "none"),
        _with("rows", []),
        _with("rows", [{"kind": "route", "name": None, "rounds": [[1.0]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": ["12"]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [[True]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [[1e308]]}]),
        _with("rows", [{"kind": "route", "name": "graph", "rounds": [[10**400]]}]),
        _with("about", {"machine_ms": [0]}),
        _with("about", {"machine_ms": "123"}),
        _with("ingest", {"chunks_per_s": None}),
        _with("asked", "a question?"),
        _with("asked", [1]),
        _with("format", "polyrag-bench-0"),
    ],
)
def test_a_damaged_run_is_named(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    value = copy.deepcopy(as_json(report(0)))
    change(value)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(value))
    with pytest.raises(UsageError, match=r"run\.json") as caught:
        load_run(path)
    assert "--save" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff\xfe\x00", b'{"format": NaN}', b"[" * 100_000])
def test_a_foreign_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"run\.json"):
        load_run(path)
    with pytest.raises(UsageError, match="can't be read"):
        load_run(tmp_path / "none.json")
