"""polyrag eval: quality on a labelled set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine

if TYPE_CHECKING:
    from polyrag_cli.evaluation.runner import EvalReport


def evaluate(
    sets: Annotated[
        list[Path], typer.Option("--set", help="A YAML or JSONL file of labelled questions; may be repeated.")
    ],
    failures: Annotated[bool, typer.Option("--failures", help="List the questions that went wrong.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Measure quality on labelled questions. Routing, retrieval and answers; the cache stays off."""
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.evaluation.datasets import load_set
    from polyrag_cli.evaluation.runner import run_set

    loaded = {str(path): load_set(path) for path in sets}
    with open_engine(data, config, override, {"tracing.enabled": False}) as engine:
        reports = {name: run_set(engine, items) for name, items in loaded.items()}
    if as_json:
        emit_json({"sets": reports})
        return
    for name, report in reports.items():
        _show(name, report, failures)


def _show(name: str, report: EvalReport, failures: bool) -> None:
    from rich.text import Text

    from polyrag_cli.commands.output import console
    from polyrag_cli.commands.show_rows import plain_table
    from polyrag_cli.evaluation.runner import METRICS

    out = console()
    out.print(
        Text(f"{name}  {report.questions} questions, longest answer {report.longest_answer_words} words", style="bold")
    )
    metrics = [m for m in METRICS if m in report.overall]
    table = plain_table()
    table.add_column("metric")
    table.add_column("all", justify="right")
    for route in report.routes:
        table.add_column(route, justify="right")
    for metric in metrics:
        places = 1 if metric.endswith("_ms") else 3
        values = [report.overall, *report.routes.values()]
        table.add_row(metric, *(f"{v[metric]:.{places}f}" if metric in v else "–" for v in values))
    out.print(table)
    out.print()
    if failures:
        for item in report.items:
            wrong = [m for m, v in item.scores.items() if (v < 1 if m != "empty_rate" else v > 0)]
            if wrong:
                out.print(Text(f"  {item.question}", style="yellow"), soft_wrap=True)
                out.print(
                    Text(f"    {', '.join(wrong)} · routed {'+'.join(item.routes)} · {item.answer}"), soft_wrap=True
                )
