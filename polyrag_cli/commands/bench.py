"""polyrag bench: latency, warm and cold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine

# Spans are what is measured.
_TRACED = {"tracing.enabled": True}


def bench(
    question_set: Annotated[
        Path | None, typer.Option("--questions", help="A labelled set; its questions are asked.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How often each question counts.")] = 3,
    warmups: Annotated[int, typer.Option("--warmups", min=1, help="Rounds that don't count, first.")] = 1,
    cold: Annotated[bool, typer.Option("--cold/--no-cold", help="Also start whole processes.")] = True,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Measure latency per route and per span. Without a set, on questions made from the corpus."""
    from tempfile import TemporaryDirectory

    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.evaluation.bench import cold_rows, own_questions, routing_row, warm_rows
    from polyrag_cli.evaluation.datasets import load_set

    labelled = [item.question for item in load_set(question_set)] if question_set else None
    with TemporaryDirectory(prefix="polyrag-") as folder, open_engine(data, config, override, _TRACED) as engine:
        engine.leave_no_trace(Path(folder))
        questions = labelled or own_questions(engine)
        rows = warm_rows(engine, questions, rounds, warmups)
        rows.insert(0, routing_row(engine, questions, rounds + 1))
        rows += cold_rows(engine, questions[0]) if cold else []
    if as_json:
        emit_json({"questions": len(questions), "rows": rows})
        return
    from polyrag_cli.commands.output import console
    from polyrag_cli.commands.show_rows import plain_table

    table = plain_table()
    for name in ("kind", "name"):
        table.add_column(name)
    for name in ("n", "p50 ms", "p95 ms"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(row.kind, row.name, str(row.n), f"{row.p50_ms:.2f}", f"{row.p95_ms:.2f}")
    console().print(table)
