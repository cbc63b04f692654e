"""One table: its audit card, and its first rows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from polyrag_cli.display.tables import card_lines
from polyrag_cli.display.text import counted
from polyrag_cli.tui.widgets.cells import one_line, padded
from polyrag_cli.types import TableCard as Card

SHOWN_ROWS = 50
_CELL_MAX = 24
_COLUMN_MAX = 200


def table_text(card: Card, rows: Sequence[Sequence[str]]) -> Text:
    """A table's audit card and first rows, as its source holds them.

    rows: the header first.
    """
    first, *lines = card_lines(card)
    shown = Text(no_wrap=True)
    shown.append(f"{first}\n", "bold")
    for line in lines:
        shown.append(f"{line}\n")
    shown.append(f"\nfirst {counted(max(0, len(rows) - 1), 'row')}, as in the source\n", "dim")
    shown.append_text(rows_text(rows))
    return shown


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

    def show(self, card: Card, rows: Sequence[Sequence[str]]) -> None:
        """Shows a table's card and its first rows."""
        self.query_one("#table-text", Static).update(table_text(card, rows))
        self.scroll_home(animate=False)
