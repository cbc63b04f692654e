"""polyrag sql: read-only SQL over the ingested tables."""

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


def sql(
    statement: Annotated[list[str] | None, typer.Argument(help="One SELECT; - reads it from standard input.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Run one SELECT over the ingested tables, in a sandbox."""
    from polyrag_cli.commands.output import console, emit_json

    text = read_argument(statement or [], "statement", 'polyrag sql "SELECT COUNT(*) FROM my_table"')
    with open_engine(data, config, override) as engine:
        rows = engine.sql(text)
    if as_json:
        emit_json(rows)
        return
    from polyrag_cli.commands.show_rows import show_rows

    show_rows(rows.columns, rows.rows, console())
    if rows.truncated:
        console(stderr=True).print(f"  note: only the first {len(rows.rows)} rows; see answer.max_rows")
