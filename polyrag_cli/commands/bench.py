"""polyrag bench: latency, throughput, memory and ingest rate; against a saved run; growth with size."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine

if TYPE_CHECKING:
    from polyrag_cli.evaluation.bench.bench import BenchPlan, BenchReport
    from polyrag_cli.evaluation.bench.saved_runs import SavedRun

# Spans are what is measured.
_TRACED = {"tracing.enabled": True}


def bench(
    question_set: Annotated[
        Path | None, typer.Option("--questions", help="A labelled set; its questions are asked.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How often each question counts.")] = 3,
    warmups: Annotated[int, typer.Option("--warmups", min=1, help="Rounds that don't count, first.")] = 1,
    cold: Annotated[bool, typer.Option("--cold/--no-cold", help="Also start whole processes.")] = True,
    clients: Annotated[str, typer.Option("--clients", help="Clients that ask at once (threads), 0 for none.")] = "1,4",
    ingest: Annotated[
        list[Path] | None, typer.Option("--ingest", metavar="PATH", help="Also measure ingesting this; repeatable.")
    ] = None,
    csv: Annotated[
        int, typer.Option("--csv", metavar="MB", min=0, help="Also measure a made-up CSV file, beside plain readers.")
    ] = 0,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Keep the run for --against.")] = None,
    against: Annotated[Path | None, typer.Option("--against", metavar="FILE", help="Compare with a kept run.")] = None,
    max_slowdown: Annotated[
        float | None, typer.Option("--max-slowdown", min=1.0, help="With --against: exit code 4 beyond this ratio.")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option("--scale", metavar="N,N…", help="Growth instead: sizes in hundreds of synthetic chunks."),
    ] = None,
    chart: Annotated[Path | None, typer.Option("--chart", metavar="FILE", help="With --scale: an SVG chart.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Measure latency per route and span, throughput, memory. Without a set, on questions made from the corpus."""
    from polyrag_cli.commands.output import check_writable
    from polyrag_cli.evaluation.bench.saved_runs import load_run

    for file in (save, chart):
        if file is not None:
            check_writable(file)
    _check_ratio(max_slowdown, against, scale)
    _check_growth(scale, chart, bool(against or save or ingest or csv or question_set or max_slowdown))
    if scale is not None:
        _scale(scale, chart, as_json, data, config, override)
        return
    # A damaged file is said before anything is measured.
    saved = load_run(against) if against else None
    plan = _plan(question_set, rounds, warmups, cold, clients, tuple(ingest or ()), csv)
    report = _measured(plan, data, config, override)
    _finish(report, saved, against, save, max_slowdown, as_json)


def _check_ratio(max_slowdown: float | None, against: Path | None, scale: str | None) -> None:
    """Raises UsageError for a ratio that is none, or that nothing is compared with."""
    from polyrag_cli.errors import UsageError

    if max_slowdown is not None and not math.isfinite(max_slowdown):
        raise UsageError(f"--max-slowdown {max_slowdown}: no ratio.", "Write --max-slowdown 1.5")
    if max_slowdown is not None and against is None and scale is None:
        raise UsageError("--max-slowdown compares with a run.", "Add --against FILE")


def _check_growth(scale: str | None, chart: Path | None, other: bool) -> None:
    """Raises UsageError for options that don't go with growth. other: whether one of a run over a corpus is there."""
    from polyrag_cli.errors import UsageError

    if scale is not None and other:
        raise UsageError(
            "--scale builds its own corpus.",
            "Leave out --questions, --ingest, --csv, --save, --against and --max-slowdown.",
        )
    if scale is None and chart is not None:
        raise UsageError("--chart draws growth.", "Add --scale 10,100")


def _plan(
    question_set: Path | None,
    rounds: int,
    warmups: int,
    cold: bool,
    clients: str,
    ingest: tuple[Path, ...],
    csv: int,
) -> BenchPlan:
    """What is measured. Raises UsageError for a path that isn't there."""
    from polyrag_cli.datasets import load_set
    from polyrag_cli.errors import UsageError
    from polyrag_cli.evaluation.bench.bench import BenchPlan
    from polyrag_cli.evaluation.bench.load import parse_clients

    for path in ingest:
        if not path.exists():
            raise UsageError(f"--ingest {path}: no such file or folder.")
    questions = tuple(item.question for item in load_set(question_set)) if question_set else ()
    return BenchPlan(questions, rounds, warmups, cold, parse_clients(clients), ingest, csv)


def _measured(plan: BenchPlan, data: Path | None, config: Path | None, override: list[str] | None) -> BenchReport:
    from tempfile import TemporaryDirectory

    from polyrag_cli.commands.progress import telling
    from polyrag_cli.commands.stopping import ended_in_order
    from polyrag_cli.evaluation.bench.bench import run_bench

    with (
        ended_in_order(),
        TemporaryDirectory(prefix="polyrag-") as folder,
        open_engine(data, config, override, _TRACED) as engine,
        telling("bench") as tell,
    ):
        engine.leave_no_trace(Path(folder))
        return run_bench(engine, plan, tell)


def _finish(
    report: BenchReport,
    saved: SavedRun | None,
    against: Path | None,
    save: Path | None,
    max_slowdown: float | None,
    as_json: bool,
) -> None:
    """Prints and keeps a run. Raises GateFailed when it is certainly slower than allowed."""
    import json

    from polyrag_cli.commands.output import console, emit_json, write_file
    from polyrag_cli.errors import GateFailed
    from polyrag_cli.evaluation.bench.saved_runs import compare
    from polyrag_cli.types import as_json as json_values

    comparison = compare(saved, report) if saved is not None else None
    if save is not None:
        write_file(save, json.dumps(json_values(report), ensure_ascii=False) + "\n")
    if as_json:
        emit_json({**json_values(report), "against": comparison} if comparison else report)
    else:
        from polyrag_cli.commands.show_bench import show_comparison, show_report

        out = console()
        show_report(report, out)
        if comparison is not None and against is not None:
            show_comparison(comparison, against, report.questions, out)
    if comparison is not None and max_slowdown is not None:
        slow = comparison.slower_than(max_slowdown)
        if slow:
            rows = ", ".join(f"{row.kind} {row.name} {row.ratio:.2f}×" for row in slow)
            raise GateFailed(f"slower than {max_slowdown:g}× by more than the noise: {rows}.")


def _scale(
    scale: str, chart: Path | None, as_json: bool, data: Path | None, config: Path | None, override: list[str] | None
) -> None:
    from polyrag_cli.commands.output import console, emit_json, write_file
    from polyrag_cli.commands.progress import telling
    from polyrag_cli.commands.show_bench import scale_chart, show_scale
    from polyrag_cli.commands.stopping import ended_in_order
    from polyrag_cli.evaluation.bench.scale import parse_scales, run_scale

    scales = parse_scales(scale)
    # An embedder's own time is strictly linear and would bury all other growth, so the quickest one stands in.
    named = any(part.partition("=")[0].strip() == "embedder.name" for part in override or ())
    with (
        ended_in_order(),
        open_engine(data, config, override, {**_TRACED, **({} if named else {"embedder.name": "hashing"})}) as engine,
        telling("bench") as tell,
    ):
        report = run_scale(engine.settings, scales, tell)
    if chart is not None:
        write_file(chart, scale_chart(report))
    if as_json:
        emit_json(report)
    else:
        show_scale(report, console())
