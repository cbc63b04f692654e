"""polyrag ask: the answer, its sources, and the one-line decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    JsonOption,
    OverrideOption,
    open_engine,
    read_argument,
)
from polyrag_cli.errors import StoreError

NOTHING_FOUND = 1


def ask(
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from standard input.")] = None,
    route: Annotated[str | None, typer.Option("--route", help="Force a route.")] = None,
    strategy: Annotated[str | None, typer.Option("--strategy", help="Force a strategy.")] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", min=1, max=100, help="Passages that an answer may draw on.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Don't use or fill the answer cache.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the decision's arithmetic and the span tree.")
    ] = False,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Print the decision, then the answer as it comes; with --json, an event a line."),
    ] = False,
    chart: Annotated[
        bool, typer.Option("--chart", help="Draw the answer's rows where they are a series: bars, or a line of blocks.")
    ] = False,
    chart_file: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.svg", help="Draw the chart into an SVG file.")
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Answer a question from the corpus."""
    from polyrag_cli.types import answer_of

    text = read_argument(question or [], "question", 'polyrag ask "Which region sold most?"')
    drawn = chart or chart_file is not None
    if drawn:
        from polyrag_cli.commands.show_chart import check_chart

        check_chart(chart_file, as_json)
    with open_engine(data, config, override) as engine:
        events = engine.ask_events(text, route=route, strategy=strategy, top_k=top_k, use_cache=not no_cache)
        if stream:
            from polyrag_cli.commands.stream_answer import emit_events, show_events

            answer = answer_of(emit_events(events) if as_json else show_events(events, engine.lined_text, explain))
        elif as_json:
            from polyrag_cli.commands.output import emit_json

            answer = answer_of(events)
            emit_json(answer)
        else:
            from polyrag_cli.commands.show_answer import show_answer

            answer = answer_of(events)
            show_answer(answer, engine.lined_text, explain)
    if drawn:
        from polyrag_cli.commands.show_chart import show_chart

        show_chart(answer, chart_file)
    if answer.answer is not None:
        return 0
    # What can't be read may hold the answer.
    return StoreError.exit_code if answer.degraded else NOTHING_FOUND
