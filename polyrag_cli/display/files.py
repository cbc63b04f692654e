"""Ingested files in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from polyrag_cli.display.text import counted, milliseconds
from polyrag_cli.types import FileReport

STATES = ("added", "updated", "unchanged", "removed", "skipped", "failed")
"""What may become of a file."""


def contents(file: FileReport) -> str:
    """What a file gave: tables with their shapes, chunks by route, and what there is to know about it."""
    parts = []
    if file.tables:
        shapes = ", ".join(f"{t.rows} rows × {t.columns}" for t in file.tables[:3])
        parts.append(f"{counted(len(file.tables), 'table')}  {shapes}" + (" …" if len(file.tables) > 3 else ""))
    if file.chunks:
        parts.append(f"{counted(file.chunks, 'chunk')}  {by_route(file)}")
    if file.boundary:
        parts.append(f"{file.boundary} near the boundary: in both")
    if file.reason:
        parts.append(file.reason)
    return " · ".join([*parts, *file.warnings])


def by_route(file: FileReport) -> str:
    """A file's chunks by home route, the most first: graph 4, vectorial 1."""
    routes = sorted(file.routes.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {n:,}" for name, n in routes)


def totals(files: Sequence[FileReport], took_ms: float, always: Collection[str]) -> str:
    """An ingest in one line: files by what became of them, chunks and tables, time.

    always: states that are named also when no file is in them.
    """
    counts: Counter[str] = Counter(file.status for file in files)
    states = ", ".join(f"{counts[state]:,} {state}" for state in STATES if counts[state] or state in always)
    chunks, tables = sum(file.chunks for file in files), sum(len(file.tables) for file in files)
    return f"{states} · {counted(chunks, 'chunk')}, {counted(tables, 'table')} · {milliseconds(took_ms)}"
