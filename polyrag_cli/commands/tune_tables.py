"""polyrag tune tables: the weights of the confidence in a reading of a table, judged on tables kept aside."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    FoldersArgument,
    JsonOption,
    OverrideOption,
    open_engine,
)


def tables(
    folders: FoldersArgument,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts that take turns at being kept aside.")] = 5,
    precision: Annotated[
        float, typer.Option("--precision", min=0.0, max=1.0, help="Share of the figures given that must be right.")
    ] = 0.85,
    write: Annotated[
        bool, typer.Option("--write", help="Write weights and answer.min_confidence into polyrag.toml.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Find the weights of the confidence in a table's answer, and what each answer.min_confidence would do.

    Each table is judged by weights found on others. Proposes them only where they foretell better.
    """
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.stopping import ended_in_order
    from polyrag_cli.commands.tune_folders import asked_of_all
    from polyrag_cli.commands.tune_writing import check_file, proposed
    from polyrag_cli.evaluation.tuning.table_cases import ask_for_evidence
    from polyrag_cli.evaluation.tuning.table_weights import tune_tables
    from polyrag_cli.types import as_json as to_json

    with ended_in_order(), open_engine(data, config, override, {"tracing.enabled": False}) as engine:
        settings = engine.settings
        check_file(settings, write)
        asked, left_out = asked_of_all(settings, folders, ask_for_evidence)
        report = tune_tables(asked, settings.table_confidence, settings.answer.min_confidence, folds, precision)
        proposal = proposed(settings, report.changes, write)
    if as_json:
        emit_json({**to_json(report), "left_out": left_out, "diff": proposal.diff, "written": proposal.written})
    else:
        from polyrag_cli.commands.show_tune_tables import show_tune_tables

        show_tune_tables(report, left_out, proposal)
    if proposal.refused is not None and write:
        raise proposal.refused
