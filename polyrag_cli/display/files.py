"""An ingested file in words. Must never read it."""

from __future__ import annotations

from polyrag_cli.display.text import counted
from polyrag_cli.types import FileReport


def contents(file: FileReport) -> str:
    """What a file gave: tables with their shapes, chunks by route, and what there is to know about it."""
    parts = []
    if file.tables:
        shapes = ", ".join(f"{t.rows} rows × {t.columns}" for t in file.tables[:3])
        parts.append(f"{counted(len(file.tables), 'table')}  {shapes}" + (" …" if len(file.tables) > 3 else ""))
    if file.chunks:
        routes = sorted(file.routes.items(), key=lambda item: (-item[1], item[0]))
        parts.append(f"{counted(file.chunks, 'chunk')}  " + ", ".join(f"{name} {n}" for name, n in routes))
    if file.boundary:
        parts.append(f"{file.boundary} near the boundary: in both")
    if file.reason:
        parts.append(file.reason)
    return " · ".join([*parts, *file.warnings])
