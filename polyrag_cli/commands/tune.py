"""polyrag tune: thresholds and weights from labelled questions, judged on questions kept aside."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyrag_cli.commands import tune_answers, tune_tables
from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    JsonOption,
    OverrideOption,
    SetsOption,
    add_global,
    open_engine,
    question_sets,
)
from polyrag_cli.errors import UsageError

app = typer.Typer(rich_markup_mode=None)
app.command("answers")(tune_answers.answers)
app.command("tables")(tune_tables.tables)


@app.callback(invoke_without_command=True)
def tune(
    context: typer.Context,
    sets: SetsOption = None,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts that take turns at being kept aside.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the division into folds.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Write what is proposed into polyrag.toml.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Find thresholds and weights on labelled questions. Proposes only what holds on questions kept aside."""
    if context.invoked_subcommand is not None:
        _pass_on(context, data, config)
        return
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.progress import telling
    from polyrag_cli.commands.tune_writing import check_file, proposed
    from polyrag_cli.datasets import check_routes, load_set
    from polyrag_cli.evaluation.tuning.tuning import tune as run
    from polyrag_cli.types import as_json as to_json

    files = question_sets(sets, data, config, override)
    loaded = {path: load_set(path) for path in files}
    items = [item for held in loaded.values() for item in held]
    with open_engine(data, config, override, {"tracing.enabled": False}) as engine:
        for path, held in loaded.items():
            check_routes(path, held, [route.name for route in engine.settings.routes])
        check_file(engine.settings, write)
        with telling("tune") as tell:
            report = run(engine, items, folds, seed, tell)
        proposal = proposed(engine.settings, report.changes, write)
    if as_json:
        emit_json({**to_json(report), "diff": proposal.diff, "written": proposal.written})
    else:
        from polyrag_cli.commands.show_tune import show_tune

        show_tune(report, proposal.diff, proposal.written, ", ".join(map(str, files)))
    if proposal.refused is not None and write:
        raise proposal.refused


def _pass_on(context: typer.Context, data: Path | None, config: Path | None) -> None:
    """Hands what stands before `answers` or `tables` on. Raises UsageError for an option that would be lost there."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in ("data", "config"):
            option = parameter.opts[0]
            raise UsageError(f"{option} stands before {context.invoked_subcommand}.", "Put it behind.")
    add_global(data, config)
