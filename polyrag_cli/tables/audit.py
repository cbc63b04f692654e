"""Owns what is suspicious in a table: rows that sum up other rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyrag_cli.tables.markers import total_initials, totals
from polyrag_cli.text.fold import fold


def total_rows(cells: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the positions of rows that state a total of others, in order.

    Such a row is called so in its first cell that holds text, and holds a number elsewhere or is the last row.

    Args:
        cells: rows of cell texts without the header.
    """
    names, initials = totals(), total_initials()
    found: list[int] = []
    for position, row in enumerate(cells):
        first = next((cell for cell in row if cell.strip()), "").lstrip()
        if first[:1].isascii() and first[:1].lower() not in initials:
            continue
        if _words(first) in names and any(re.search(r"\d", cell) for cell in row):
            found.append(position)
    # Where many rows are called total, it is a category of the table.
    return tuple(found) if len(found) <= max(1, len(cells) // 3) else ()


def _words(cell: str) -> tuple[str, ...]:
    return tuple(fold(cell).removesuffix(":").replace("-", " ").split())
