"""Owns the cells of a Markdown table's lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_BORDER = re.compile(r"(?<!\\)\|")


def table_rows(lines: Sequence[str], plain: Callable[[str], str]) -> list[list[str]]:
    """The rows of a table, its header first and each as wide as that; () of lines: header, delimiters, rows.

    plain: takes the inline marks off a cell.
    """
    header = _cells(lines[0], plain)
    rows = [header]
    for line in lines[2:]:
        cells = _cells(line, plain)
        # A pipe too many belongs to the last cell; a missing one is an empty cell.
        if len(cells) > len(header):
            cells = [*cells[: len(header) - 1], " | ".join(cells[len(header) - 1 :])]
        rows.append(cells + [""] * (len(header) - len(cells)))
    return rows


def _cells(line: str, plain: Callable[[str], str]) -> list[str]:
    line = line.strip().lstrip("> ").removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [plain(cell.replace("\\|", "|").strip()) for cell in _BORDER.split(line)]
