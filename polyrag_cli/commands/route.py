"""polyrag route: the decision and its arithmetic, nothing retrieved; and what another configuration would change."""

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
    overrides,
    read_argument,
)
from polyrag_cli.errors import UsageError


def route(
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from standard input.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every route's arithmetic.")] = False,
    impact: Annotated[
        Path | None,
        typer.Option("--impact", metavar="NEW.toml", help="Say what this configuration would change, apply nothing."),
    ] = None,
    sets: Annotated[
        list[Path] | None,
        typer.Option(
            "--set",
            help="With --impact: questions to compare; may be repeated (default: gate.sets, else those asked last).",
        ),
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Show where a question would go, and why."""
    if impact is not None:
        if question:
            raise UsageError("--impact takes no question.", "Name a file of questions with --set FILE.")
        _impact(impact, sets, as_json, data, config, override)
        return
    if sets:
        raise UsageError("--set belongs to --impact.", "Try: polyrag route --impact NEW.toml --set FILE")
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
    from polyrag_cli.display.decisions import decision_lines

    for line, clause in zip(decision_lines(decision), decision.clauses, strict=True):
        write(line + (f" · also {', '.join(clause.also)}" if clause.also else ""))


def _impact(
    new: Path,
    sets: list[Path] | None,
    as_json: bool,
    data: Path | None,
    config: Path | None,
    override: list[str] | None,
) -> None:
    """What the configuration in `new` would change of this corpus and its questions."""
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.show_impact import show_impact
    from polyrag_cli.config import Settings
    from polyrag_cli.datasets import load_set
    from polyrag_cli.evaluation.impact.impact import impact

    with open_engine(data, config, override) as engine:
        files = sets or engine.settings.gate.sets
        items = [item for path in files for item in load_set(path)] if files else None
        settings = Settings.load(config=new, data_dir=engine.paths.root, overrides=overrides(override))
        report = impact(engine, settings, items)
    if as_json:
        emit_json(report)
        return
    show_impact(report, str(new))
