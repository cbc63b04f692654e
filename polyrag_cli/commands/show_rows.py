"""How the rows of a SQL result look."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from polyrag_cli.types import Cell


def rows_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """A table with numbers to the right and empty cells as a middle dot."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(columns):
        numeric = any(isinstance(r[i], (int, float)) and not isinstance(r[i], bool) for r in rows)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text("·" if cell is None else str(cell)) for cell in row))
    return table
