"""polyrag sql: read-only SQL over the ingested tables."""

from __future__ import annotations

import sys
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


def sql(
    statement: Annotated[list[str] | None, typer.Argument(help="One SELECT; - reads it from standard input.")] = None,
    interactive: Annotated[
        bool, typer.Option("-i", "--interactive", help="Statement after statement; a script where stdin is a pipe.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Rows as CSV.")] = False,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="Write the rows, with their types, to a file.")
    ] = None,
    max_rows: Annotated[
        int | None,
        typer.Option(
            "--max-rows",
            min=1,
            max=1_000_000,
            help="Most rows (default: answer.max_rows; 1,000,000 with --csv and --parquet).",
        ),
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Run SELECTs over the ingested tables, in a sandbox."""
    from polyrag_cli.commands.show_sql import Output
    from polyrag_cli.errors import UsageError

    output = Output.chosen(as_json, as_csv, parquet, max_rows)
    if interactive:
        if statement or parquet is not None:
            raise UsageError("-i takes its statements from the prompt.", "Leave the statement and --parquet out.")
        from polyrag_cli.commands.sql_shell import run_shell

        with open_engine(data, config, override) as engine:
            return run_shell(engine, output, sys.stdin)
    example = 'polyrag sql "SELECT COUNT(*) FROM my_table", or polyrag sql -i'
    text = read_argument(statement or [], "statement", example)
    with open_engine(data, config, override) as engine:
        output.show(engine.sql(text, output.max_rows))
    return 0
