"""Spans: as they are kept, and as a listener hears of them while they run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """A finished span: `parent` is the parent's index in the trace's span list, -1 for the root; times in
    milliseconds."""

    name: str
    parent: int
    start_ms: float
    ms: float
    attributes: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """A span that starts (`ms` is None) or has ended, as a listener hears of it.

    parent_id: "" for the root; start_ms: since the Unix epoch; attributes: those known so far.
    """

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start_ms: float
    ms: float | None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
