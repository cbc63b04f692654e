"""polyrag tune answers: the weights of the probability that a quote answers, judged on folders kept aside."""

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


def answers(
    folders: FoldersArgument,
    refuse: Annotated[
        float,
        typer.Option("--refuse", min=0.0, max=0.9, help="Share of the answerable questions that may be refused."),
    ] = 0.08,
    write: Annotated[
        bool, typer.Option("--write", help="Write weights and answer.min_probability into polyrag.toml.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Find the weights of the probability that a quote answers, and what each answer.min_probability would do.

    Each folder is judged by weights found on the others. Proposes them only where they foretell better.
    """
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.stopping import ended_in_order
    from polyrag_cli.commands.tune_folders import asked_of_all
    from polyrag_cli.commands.tune_writing import check_file, proposed
    from polyrag_cli.evaluation.tuning.answer_cases import ask_for_signs
    from polyrag_cli.evaluation.tuning.answer_weights import tune_answers
    from polyrag_cli.types import as_json as to_json

    with ended_in_order(), open_engine(data, config, override, {"tracing.enabled": False}) as engine:
        settings = engine.settings
        check_file(settings, write)
        asked, left_out = asked_of_all(settings, folders, ask_for_signs)
        report = tune_answers(
            asked,
            settings.answer_probability,
            settings.answer.min_probability,
            engine.embedder.dimension > 0,
            refuse,
        )
        proposal = proposed(settings, report.changes, write)
    if as_json:
        emit_json({**to_json(report), "left_out": left_out, "diff": proposal.diff, "written": proposal.written})
    else:
        from polyrag_cli.commands.show_tune_answers import show_tune_answers

        show_tune_answers(report, left_out, proposal)
    if proposal.refused is not None and write:
        raise proposal.refused
