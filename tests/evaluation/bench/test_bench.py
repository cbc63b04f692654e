"""A whole measurement, and what it says of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from polyrag_cli import __version__
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.bench.bench import FORMAT, BenchPlan, run_bench

PLAN = BenchPlan(questions=("Regra B1?", "total receita Foz"), rounds=2, cold=False, clients=(2,))


def test_one_run_holds_everything_that_was_asked_for(engine: Engine, tmp_path: Path, small_folder: Path) -> None:
    engine.leave_no_trace(tmp_path)
    told: list[str] = []
    report = run_bench(engine, replace(PLAN, ingest=(small_folder / "regras.md",)), told.append)
    assert (report.format, report.questions) == (FORMAT, 2)
    assert {row.kind for row in report.rows} == {"routing", "route", "cache", "span"}
    assert [row.clients for row in report.throughput] == [2]
    assert report.ingest is not None and report.ingest.files == 1
    assert report.memory.rss_mb is not None
    assert told == ["2 questions, warm", "2 clients at once", "ingest"]
    about = report.about
    assert (about.version, about.generation, about.tables, len(about.machine_ms)) == (__version__, 1, 1, 2)
    assert about.embedder.startswith("hashing") and len(about.fingerprint) == 64


def test_what_decides_is_in_the_hashes_and_where_it_lies_is_not(
    small_data: Path, own_data: Path, tmp_path: Path
) -> None:
    def about(data: Path, questions: tuple[str, ...] = PLAN.questions, **overrides: object) -> tuple[str, str, str]:
        with Engine.open(data_dir=data, overrides={"embedder.name": "hashing", **overrides}) as engine:
            engine.leave_no_trace(tmp_path)
            found = run_bench(engine, replace(PLAN, questions=questions, rounds=1, clients=())).about
            return found.config_hash, found.fingerprint, found.questions_hash

    first = about(small_data)
    assert about(own_data) == first
    config_hash, fingerprint, questions_hash = about(small_data, ("Regra B2?",), **{"answer.top_k": 3})
    assert config_hash != first[0] and fingerprint == first[1] and questions_hash != first[2]
