"""polyrag ask: the answer, its sources, and the one-line decision."""

from __future__ import annotations

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
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Answer a question from the corpus."""
    text = read_argument(question or [], "question", 'polyrag ask "Which region sold most?"')
    with open_engine(data, config, override) as engine:
        answer = engine.ask(text, route=route, strategy=strategy, top_k=top_k, use_cache=not no_cache)
        if as_json:
            from polyrag_cli.commands.output import emit_json

            emit_json(answer)
        else:
            from polyrag_cli.commands.show_answer import show_answer

            show_answer(answer, engine.document_text, explain)
    return 0 if answer.answer is not None else NOTHING_FOUND
