"""Spans as a tree with a bar each, drawn from where it began to where it ended: a waterfall, in styled lines."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from polyrag_cli.display.spans import BLOCK, bar_cells, tree
from polyrag_cli.display.text import clip
from polyrag_cli.types import SpanRecord

MAX_SPANS = 200
"""Spans that are drawn; more are counted."""


def span_lines(spans: Sequence[SpanRecord], width: int) -> list[Content]:
    """A line a span for a width in cells: its place in the tree, its bar over the whole duration, its milliseconds."""
    if not spans:
        return []
    shown = tree(spans)
    total = max(record.start_ms + record.ms for record in spans)
    name = min(max(len(prefix + record.name) for record, prefix in shown), max(14, width // 2))
    room = max(4, width - name - 9)
    lines = []
    for record, prefix in shown:
        offset, length = bar_cells(record.start_ms, record.ms, total, room)
        failed = f" failed: {clip(record.error, 40)}" if record.error else ""
        lines.append(
            Content.assemble(
                f"{clip_tree(prefix + record.name, name):<{name}} ",
                (f"{' ' * offset + BLOCK * length:<{room}}", "$text-error" if record.error else "$text-primary"),
                (f"{record.ms:8.1f}", ""),
                (failed, "$text-error"),
            )
        )
    return lines


def clip_tree(text: str, width: int) -> str:
    """A name with its branches on at most `width` characters; the branches' spaces stay as they are."""
    return text if len(text) <= width else text[: width - 1] + "…"
