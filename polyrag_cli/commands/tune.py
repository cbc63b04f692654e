"""polyrag tune: thresholds and weights from labelled questions, judged on questions kept aside."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    JsonOption,
    OverrideOption,
    SetsOption,
    open_engine,
    question_sets,
)
from polyrag_cli.errors import StoreError, UsageError


def tune(
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
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.progress import telling
    from polyrag_cli.config import FILE_NAME
    from polyrag_cli.config.template import polyrag_toml
    from polyrag_cli.datasets import check_routes, load_set
    from polyrag_cli.evaluation.tuning import toml_edit
    from polyrag_cli.evaluation.tuning.tuning import tune as run
    from polyrag_cli.types import as_json as to_json

    files = question_sets(sets, data, config, override)
    loaded = {path: load_set(path) for path in files}
    items = [item for held in loaded.values() for item in held]
    with open_engine(data, config, override, {"tracing.enabled": False}) as engine:
        for path, held in loaded.items():
            check_routes(path, held, [route.name for route in engine.settings.routes])
        file = engine.settings.file
        if write and file is None:
            raise UsageError(f"there is no {FILE_NAME} to write to.", "Write one with: polyrag init")
        before = toml_edit.read_text(file) if file else polyrag_toml()
        with telling("tune") as tell:
            report = run(engine, items, folds, seed, tell)
        changes = {key: new for key, (_, new) in report.changes.items()}
        after, refused = before, None
        try:
            after = toml_edit.edited(before, changes) if changes else before
        except StoreError as error:
            # The search took minutes: what it found is said also where it can't be written.
            refused = StoreError(f"{file or FILE_NAME}: {error.message}", error.hint)
        if refused is None and write and file is not None and changes:
            toml_edit.replace_file(file, after, engine.paths.root)
    written = str(file) if write and changes and refused is None else None
    diff = toml_edit.diff(before, after, str(file or FILE_NAME)) if refused is None else [str(refused)]
    if as_json:
        emit_json({**to_json(report), "diff": diff, "written": written})
    else:
        from polyrag_cli.commands.show_tune import show_tune

        show_tune(report, diff, written, ", ".join(map(str, files)))
    if refused is not None and write:
        raise refused
