"""A turn's spans as far as they are known, running ones as long as they have lasted."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from polyrag_cli.display.text import counted
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.waterfall import MAX_SPANS, span_lines
from polyrag_cli.types import SpanRecord


def turn_spans(turn: Turn | None, now_ms: float, width: int) -> list[Content]:
    """The spans of a turn known so far, for a width in cells; what still runs lasts until `now_ms` (Unix epoch)."""
    if turn is None:
        return []
    lines = span_lines(span_records(turn, now_ms, MAX_SPANS), width)
    more = len(known_spans(turn)) - MAX_SPANS
    if more > 0:
        lines.append(Content.styled(f"… {counted(more, 'more span')}", "$text-muted"))
    return lines


def known_spans(turn: Turn | None) -> Sequence[object]:
    """The turn's spans, as they were heard or as its answer brings them."""
    if turn is None:
        return ()
    return turn.answer.spans if turn.answer is not None else turn.spans


def span_records(turn: Turn, now_ms: float, limit: int | None = None) -> tuple[SpanRecord, ...]:
    """The turn's spans as a tree of records, at most the first `limit`; what still runs lasts until now.

    now_ms: milliseconds since the Unix epoch.
    """
    if turn.answer is not None:
        return turn.answer.spans[:limit]
    spans = turn.spans[:limit]
    if not spans:
        return ()
    index = {span.span_id: i for i, span in enumerate(spans)}
    origin = min(span.start_ms for span in spans)
    return tuple(
        SpanRecord(
            name=span.name,
            parent=index.get(span.parent_id, -1),
            start_ms=round(span.start_ms - origin, 3),
            ms=round(span.ms if span.ms is not None else max(0.0, now_ms - span.start_ms), 3),
            attributes=span.attributes,
            error=span.error,
        )
        for span in spans
    )
