"""A trace's spans as a tree and as a waterfall."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.types import SpanRecord

BLOCK = "▇"


def tree(spans: Sequence[SpanRecord]) -> list[tuple[SpanRecord, str]]:
    """The spans, parents before their children, each with the branches that are drawn before its name."""
    children: dict[int, list[int]] = {}
    for i, record in enumerate(spans):
        children.setdefault(record.parent, []).append(i)
    rows: list[tuple[SpanRecord, str]] = []
    waiting = [(root, "", "") for root in reversed(children.get(-1, []))]
    while waiting:
        index, prefix, branch = waiting.pop()
        rows.append((spans[index], prefix + branch))
        inner = children.get(index, [])
        deeper = prefix + ("  " if branch == "└ " else "│ " if branch == "├ " else "")
        waiting += [(child, deeper, "└ " if child == inner[-1] else "├ ") for child in reversed(inner)]
    return rows


def bar_cells(start_ms: float, ms: float, total_ms: float, width: int) -> tuple[int, int]:
    """Where a span's bar begins and how long it is, in cells of a waterfall `width` cells wide over `total_ms`."""
    total = max(total_ms, 1e-6)
    offset = min(width - 1, int(start_ms / total * width))
    return offset, max(1, min(width - offset, round(ms / total * width)))
