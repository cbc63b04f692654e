"""Latency rows: questions from the corpus itself, whole processes with the engine's own settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.bench import cold_rows, own_questions, warm_rows


def test_questions_come_from_tables_and_headings(engine: Engine) -> None:
    questions = own_questions(engine)
    assert questions == [
        "total passageiros travessias",
        "A enchente?",
        "total receita travessias",
        "O começo?",
        "Regra B1?",
        "Regra B2?",
    ]
    assert own_questions(engine, limit=2) == questions[:2]


def test_warm_ups_do_not_count(engine: Engine) -> None:
    rows = {(row.kind, row.name): row for row in warm_rows(engine, ["Como tudo começou?"], rounds=2, warmups=3)}
    assert rows["span", "ask"].n == 2
    assert rows["route", "vectorial"].n == 2
    assert rows["cache", "hit"].n == 2
    with pytest.raises(UsageError, match="--questions"):
        warm_rows(engine, [], rounds=1, warmups=1)


def test_cold_processes_have_the_same_settings(engine: Engine) -> None:
    rows = cold_rows(engine, "--balsa", runs=1)
    assert [(row.kind, row.name, row.n) for row in rows] == [
        ("cold", "--help", 1),
        ("cold", "route", 1),
        ("cold", "ask", 1),
    ]
    assert all(row.p50_ms > 10 for row in rows)


def test_a_process_that_fails_is_not_measured(tmp_path: Path) -> None:
    with Engine.open(data_dir=tmp_path / "none") as empty, pytest.raises(StoreError, match="Nothing is ingested"):
        cold_rows(empty, "balsa", runs=1)
