"""How the rows of a statement are given out: as a table, JSON, CSV or a Parquet file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from polyrag_cli.commands.output import check_writable, console, emit_json, write
from polyrag_cli.display.text import counted
from polyrag_cli.errors import UsageError
from polyrag_cli.types import Rows

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Output:
    """What becomes of rows. max_rows: most that are asked for; None for the configured number."""

    form: str
    file: Path | None
    max_rows: int | None

    @classmethod
    def chosen(cls, as_json: bool, as_csv: bool, parquet: Path | None, max_rows: int | None) -> Output:
        """What the flags ask for. Raises UsageError for two at once, and for a file that can't be written."""
        chosen = [name for name, is_given in (("json", as_json), ("csv", as_csv), ("parquet", parquet)) if is_given]
        if len(chosen) > 1:
            raise UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other.")
        form = chosen[0] if chosen else "table"
        if parquet is not None:
            check_writable(parquet)
        return cls(form, parquet, max_rows or (_ALL if form in ("csv", "parquet") else None))

    def show(self, rows: Rows) -> None:
        """Gives the rows out, and says on stderr when they aren't all."""
        if self.form == "json":
            emit_json(rows)
        elif self.form == "csv":
            write(_as_csv(rows), end="")
        elif self.file is not None:
            from polyrag_cli.stores.rows_parquet import write_parquet

            write_parquet(rows, self.file)
            console(stderr=True).print(f"{self.file}: {counted(len(rows.rows), 'row')}", soft_wrap=True)
        else:
            from polyrag_cli.commands.show_rows import show_rows

            show_rows(rows.columns, rows.rows, console())
        for note in rows.notes if self.form != "json" else ():
            console(stderr=True).print(Text(f"  note: {note}"), soft_wrap=True)
        if rows.truncated and self.form != "json":
            limit = "see --max-rows" if len(rows.rows) == self.max_rows else "see --max-rows and answer.max_rows"
            console(stderr=True).print(f"  note: only the first {counted(len(rows.rows), 'row')}; {limit}")


def _as_csv(rows: Rows) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows(rows.rows)
    return text.getvalue()
