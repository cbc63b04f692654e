"""How tables look: rows of a SQL result, and figures under headings."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from polyrag_cli.display.text import cell_text
from polyrag_cli.types import Cell

_WIDEST = 100_000


def plain_table() -> Table:
    """A table with one rule under its header and nothing else drawn."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)


def show_rows(columns: Sequence[str], rows: Sequence[Sequence[Cell]], out: Console, indent: int = 0) -> None:
    """Prints rows with numbers to the right and empty cells as a middle dot.

    In a pipe a row is always one line; on a terminal that is too narrow for that, a row becomes a block of lines.
    """
    table = plain_table()
    for i, name in enumerate(columns):
        numeric = any(isinstance(r[i], (int, float)) and not isinstance(r[i], bool) for r in rows)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell_text(cell)) for cell in row))
    width = out.measure(table, options=out.options.update(max_width=_WIDEST)).maximum + indent
    if width > out.width and out.is_terminal:
        _show_blocks(columns, rows, out, " " * indent)
        return
    out.width = max(out.width, width)
    out.print(Padding(table, (0, 0, 0, indent), expand=False))


def _show_blocks(columns: Sequence[str], rows: Sequence[Sequence[Cell]], out: Console, indent: str) -> None:
    width = max(map(len, columns))
    for number, row in enumerate(rows, 1):
        out.print(Text(f"{indent}── {number} ──", style="dim"))
        for name, cell in zip(columns, row, strict=True):
            out.print(Text(f"{indent}{name:<{width}}  {cell_text(cell)}"), soft_wrap=True)
