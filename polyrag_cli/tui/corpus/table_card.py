"""One table: its columns with their types, and its first rows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from polyrag_cli.display.text import counted
from polyrag_cli.tui.widgets.cells import one_line, padded
from polyrag_cli.types import TableSchema

SHOWN_ROWS = 50
_CELL_MAX = 24
_COLUMN_MAX = 200


def table_text(schema: TableSchema, rows: Sequence[Sequence[str]]) -> Text:
    """A table's shape, columns and first rows, as its source holds them.

    rows: the header first.
    """
    card = Text(no_wrap=True)
    card.append(one_line(schema.name), "bold")
    card.append(f"  {counted(schema.rows, 'row')} from {one_line(schema.document)}\n\n")
    width = max((min(30, cell_len(column.name)) for column in schema.columns), default=0)
    for column in schema.columns:
        label = f" “{one_line(column.label)}”" if column.label != column.name else ""
        notes = f" · {one_line('; '.join(column.notes))}" if column.notes else ""
        unit = f" · {one_line(column.unit)}" if column.unit else ""
        card.append(f"{padded(column.name, width)} ", "bold")
        card.append(f"{column.type:<8}{column.distinct:>7,} distinct{unit}{label}{notes}\n")
    for note in schema.notes:
        card.append(f"! {one_line(note)}\n")
    card.append(f"\nfirst {counted(max(0, len(rows) - 1), 'row')}, as in the source\n", "dim")
    card.append_text(rows_text(rows))
    return card


def rows_text(rows: Sequence[Sequence[str]]) -> Text:
    """Rows as aligned columns, the first row as their header."""
    lines = Text(no_wrap=True)
    if not rows:
        return lines
    columns = min(_COLUMN_MAX, max(map(len, rows)))
    cells = [[one_line(str(row[c])) if c < len(row) else "" for c in range(columns)] for row in rows]
    widths = [min(_CELL_MAX, max(cell_len(row[c]) for row in cells)) for c in range(columns)]
    for number, row in enumerate(cells):
        line = " │ ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True))
        lines.append(f"{line}\n", "bold" if number == 0 else "")
        if number == 0:
            lines.append("─┼─".join("─" * width for width in widths) + "\n", "dim")
    return lines


class TableCard(VerticalScroll):
    """A table's view."""

    DEFAULT_CSS = """
    TableCard {
        overflow-x: auto; scrollbar-size: 1 1; padding: 0 1;
        & > Static { width: auto; }
    }
    """

    def compose(self) -> ComposeResult:
        yield Static(id="table-text", markup=False)

    def show(self, schema: TableSchema, rows: Sequence[Sequence[str]]) -> None:
        """Shows a table and its first rows."""
        self.query_one("#table-text", Static).update(table_text(schema, rows))
        self.scroll_home(animate=False)
