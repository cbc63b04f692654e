"""The columns in which files are listed: what stands in them, how they sort, which fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.display.files import by_route
from polyrag_cli.display.text import counted
from polyrag_cli.text.fold import fold
from polyrag_cli.tui.widgets.cells import one_line, padded

if TYPE_CHECKING:
    from polyrag_cli.engine.corpus import FileOverview
    from polyrag_cli.types import FileReport

_NAME_MIN = 18


@dataclass(frozen=True, slots=True)
class Column:
    """One column. width: cells, 0 for what is left; from_width: cells that the list must have for it to be shown.

    text: what stands in it; order: what it is sorted by, before the file's name.
    """

    key: str
    title: str
    width: int
    from_width: int
    text: Callable[[FileOverview], str]
    order: Callable[[FileOverview], str | int]
    right: bool = False


def _number(n: int) -> str:
    return f"{n:,}" if n else "–"


COLUMNS = (
    Column("name", "file", 0, 0, lambda f: f.file.document, lambda f: ""),
    Column("status", "status", 8, 30, lambda f: f.file.status, lambda f: f.file.status),
    Column("language", "lang", 5, 44, lambda f: "–" if f.language == "und" else f.language, lambda f: f.language),
    Column("chunks", "chunks", 7, 38, lambda f: _number(f.file.chunks), lambda f: -f.file.chunks, True),
    Column("routes", "by route", 24, 88, lambda f: by_route(f.file), lambda f: by_route(f.file)),
    Column("tables", "tables", 7, 50, lambda f: _number(len(f.file.tables)), lambda f: -len(f.file.tables), True),
    Column("both", "both", 5, 58, lambda f: _number(f.file.boundary), lambda f: -f.file.boundary, True),
    Column("notes", "notes", 6, 64, lambda f: _noted(f.file), lambda f: -_notes(f.file), True),
    Column("why", "why", 40, 130, lambda f: "; ".join(_reasons(f.file)), lambda f: -_notes(f.file)),
)
"""All columns; `both` counts the chunks near the boundary, which are in both stores."""


def _reasons(file: FileReport) -> list[str]:
    return [text for text in (file.reason, *file.warnings) if text]


def _notes(file: FileReport) -> int:
    return len(_reasons(file))


def _noted(file: FileReport) -> str:
    return f"! {_notes(file)}" if _notes(file) else ""


def fitting(width: int) -> list[tuple[Column, int]]:
    """The columns that a list of `width` cells shows, with their widths; one cell stands between two of them."""
    chosen = [column for column in COLUMNS if column.from_width <= width]
    left = width - sum(column.width + 1 for column in chosen if column.width)
    return [(column, column.width or max(_NAME_MIN, left)) for column in chosen]


def title_line(width: int, by: str, backwards: bool) -> str:
    """The columns' titles, with an arrow at the one that the list is sorted by."""
    arrow = "▼" if backwards else "▲"
    return " ".join(
        padded(column.title + (arrow if column.key == by else ""), cells, column.right)
        for column, cells in fitting(width)
    )


def column_at(x: int, width: int) -> str:
    """The key of the column that stands `x` cells from the left."""
    at = 0
    for column, cells in fitting(width):
        at += cells + 1
        if x < at:
            return column.key
    return fitting(width)[-1][0].key


def row_line(file: FileOverview, width: int) -> str:
    """A file's row."""
    return " ".join(padded(column.text(file), cells, column.right) for column, cells in fitting(width))


def selected(files: Sequence[FileOverview], words: str, by: str, backwards: bool) -> list[FileOverview]:
    """The files whose names hold all words, in any case and accents, sorted by a column and then by name."""
    wanted = fold(words).split()
    kept = [f for f in files if all(word in fold(f.file.document) for word in wanted)] if wanted else list(files)
    order = next(column.order for column in COLUMNS if column.key == by)
    return sorted(kept, key=lambda f: (order(f), f.file.document), reverse=backwards)


def shown_line(shown: int, total: int) -> str:
    """How many files are listed."""
    return counted(total, "file") if shown == total else f"{shown:,} of {counted(total, 'file')}"


def title_lines(overview: FileOverview) -> str:
    """What is said of a file above its contents: name, what it gave, why it was skipped or warned of."""
    file = overview.file
    parts = [file.status, "" if overview.language == "und" else overview.language]
    parts.append(counted(overview.documents, "document") if overview.documents > 1 else "")
    parts.append(f"{counted(file.chunks, 'chunk')} ({by_route(file)})" if file.chunks else "")
    parts.append(counted(len(file.tables), "table") if file.tables else "")
    parts.append(f"{file.boundary:,} near the boundary: in both" if file.boundary else "")
    notes = [f"! {one_line(text)}" for text in _reasons(file)]
    return "\n".join([one_line(file.document), " · ".join(part for part in parts if part), *notes])
