"""polyrag route: the decision and its arithmetic, nothing retrieved."""

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


def route(
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from standard input.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every route's arithmetic.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Show where a question would go, and why."""
    text = read_argument(question or [], "question", 'polyrag route --explain "Which region sold most?"')
    with open_engine(data, config, override) as engine:
        decision = engine.route(text)
    if as_json:
        from polyrag_cli.commands.output import emit_json

        emit_json(decision)
        return
    if explain:
        from polyrag_cli.commands.output import console
        from polyrag_cli.commands.show_route import show_decision

        out = console()
        out.print()
        show_decision(decision, out)
        return
    from polyrag_cli.commands.output import write
    from polyrag_cli.commands.summary import decision_line

    for clause in decision.clauses:
        write(decision_line(clause) + (f" · also {', '.join(clause.also)}" if clause.also else ""))
