"""Spans of a piece of work: `spans` records them and tells of them, `stored` reads them back and exports them."""

from __future__ import annotations

from polyrag_cli.tracing.spans import Listener, SpanHandle, Trace, content, listening, span, trace

__all__ = ["Listener", "SpanHandle", "Trace", "content", "listening", "span", "trace"]
