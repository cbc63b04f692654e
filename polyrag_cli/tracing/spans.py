"""Spans: what a piece of work was called, how long it took and what it counted.

Owns the OpenTelemetry tracer, the in-process bus that the dashboard listens to, and the conversion to `SpanRecord`.
The SDK is imported when the first trace starts: without a trace, `span` costs a lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Tracer

    from polyrag_cli.types import SpanEvent, SpanRecord

Listener = Callable[["SpanEvent"], None]
"""Called when a span starts and again when it ends, from the thread that does it; must be quick and never raise."""


class SpanHandle(Protocol):
    """The part of a span that callers use."""

    def set_attribute(self, key: str, value: Any) -> None:
        """Records a count or a name on the span."""


class _NullSpan:
    """Stands in for a span when nothing is traced."""

    def set_attribute(self, key: str, value: Any) -> None:
        """Forgets it."""


_NULL_SPAN = _NullSpan()
_ACTIVE: ContextVar[Trace | None] = ContextVar("polyrag_trace", default=None)
_LISTENER: ContextVar[Listener | None] = ContextVar("polyrag_listener", default=None)


class Trace:
    """The spans of one piece of work, from its root span on.

    trace_id: 16 hex digits; empty until the root span starts.
    content: whether spans may carry question and document text. keep: whether ended spans are collected. listeners:
    told of each span.
    """

    def __init__(self, content: bool = False, keep: bool = True, listeners: Sequence[Listener] = ()) -> None:
        self.trace_id = ""
        self.content = content
        self._keep = keep
        self._listeners = tuple(listeners)
        self._ended: list[ReadableSpan] = []
        self._lock = Lock()

    def started(self, span: ReadableSpan) -> None:
        """Tells of a span that started, in any thread."""
        self._tell(span)

    def ended(self, span: ReadableSpan) -> None:
        """Takes a span that ended, in any thread."""
        if self._keep:
            with self._lock:
                self._ended.append(span)
        self._tell(span)

    def _tell(self, span: ReadableSpan) -> None:
        if self._listeners:
            event = _event(span)
            for listener in self._listeners:
                listener(event)

    def records(self) -> tuple[SpanRecord, ...]:
        """The ended spans, parents first, in order of their start."""
        spans = sorted(self._ended, key=lambda s: (s.start_time or 0, -(s.end_time or 0)))
        index = {s.context.span_id: i for i, s in enumerate(spans)}
        origin = min((s.start_time or 0 for s in spans), default=0)
        return tuple(_record(s, index, origin) for s in spans)


def _record(span: ReadableSpan, index: dict[int, int], origin: int) -> SpanRecord:
    from polyrag_cli.types import SpanRecord

    start, end = span.start_time or 0, span.end_time or 0
    return SpanRecord(
        name=span.name,
        parent=index.get(span.parent.span_id, -1) if span.parent else -1,
        start_ms=round((start - origin) / 1e6, 3),
        ms=round((end - start) / 1e6, 3),
        attributes=dict(span.attributes or {}),
        error=_failure(span),
    )


def _event(span: ReadableSpan) -> SpanEvent:
    from polyrag_cli.types import SpanEvent

    start, end = span.start_time or 0, span.end_time
    return SpanEvent(
        trace_id=f"{span.context.trace_id:032x}"[:16],
        span_id=f"{span.context.span_id:016x}",
        parent_id=f"{span.parent.span_id:016x}" if span.parent else "",
        name=span.name,
        start_ms=start / 1e6,
        ms=None if end is None else (end - start) / 1e6,
        attributes=dict(span.attributes or {}),
        error=_failure(span),
    )


def _failure(span: ReadableSpan) -> str:
    return (span.status.description or "failed") if span.status.status_code.name == "ERROR" else ""


@lru_cache(maxsize=1)
def _tracer() -> Tracer:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

    class Collector(SpanProcessor):
        def on_start(self, span: ReadableSpan, parent_context: Context | None = None) -> None:
            trace = _ACTIVE.get()
            if trace is not None:
                trace.started(span)

        def on_end(self, span: ReadableSpan) -> None:
            trace = _ACTIVE.get()
            if trace is not None:
                trace.ended(span)

    # An explicit resource: the default one looks for detectors among all installed packages.
    provider = TracerProvider(resource=Resource({"service.name": "polyrag"}), shutdown_on_exit=False)
    provider.add_span_processor(Collector())
    return provider.get_tracer("polyrag")


@contextmanager
def trace(
    name: str, *, content: bool = False, keep: bool = True, listener: Listener | None = None, **attributes: Any
) -> Iterator[Trace]:
    """Starts a trace with a root span of the given name; spans opened inside belong to it.

    keep: False where nobody reads the records afterwards, so that long work doesn't collect them; listeners hear them
    all the same. listener: told of each span, as the one of `listening` is.
    """
    recorder = Trace(content, keep, [heard for heard in (listener, _LISTENER.get()) if heard is not None])
    token = _ACTIVE.set(recorder)
    try:
        from opentelemetry.context import Context

        with _tracer().start_as_current_span(name, context=Context(), attributes=attributes) as root:
            recorder.trace_id = f"{root.get_span_context().trace_id:032x}"[:16]
            yield recorder
    finally:
        _ACTIVE.reset(token)


@contextmanager
def span(name: str, **attributes: Any) -> Iterator[SpanHandle]:
    """A span inside the running trace; without one, nothing is recorded.

    attributes: numbers, names and booleans; texts of questions and documents only through `content`.
    """
    if _ACTIVE.get() is None:
        yield _NULL_SPAN
        return
    with _tracer().start_as_current_span(name, attributes=attributes) as handle:
        yield handle


def content(**texts: str) -> dict[str, str]:
    """These texts as attributes where the running trace may carry question and document text, else nothing."""
    recorder = _ACTIVE.get()
    return texts if recorder is not None and recorder.content else {}


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tells `listener` of each span of the traces that start in this block, in this thread's context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
