"""Stored traces as span records and as OpenTelemetry JSON (OTLP)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from polyrag_cli.types import SpanRecord


def spans_of(payload: Mapping[str, Any]) -> tuple[SpanRecord, ...]:
    """The spans of a stored answer."""
    return tuple(SpanRecord(**span) for span in payload["spans"])


def otlp(payload: Mapping[str, Any], ended_s: float, version: str) -> dict[str, Any]:
    """A stored answer's spans as an OTLP/JSON export.

    ended_s: Unix time in seconds at which the answer was there; the spans' own times count from its question. version:
    that of the program.
    """
    origin = round(ended_s * 1e9) - round(float(payload["took_ms"]) * 1e6)
    trace_id = str(payload["trace_id"]).rjust(32, "0")
    spans = []
    for index, span in enumerate(spans_of(payload)):
        record = {
            "traceId": trace_id,
            "spanId": _span_id(trace_id, index),
            "name": span.name,
            "kind": 1,
            "startTimeUnixNano": str(origin + round(span.start_ms * 1e6)),
            "endTimeUnixNano": str(origin + round((span.start_ms + span.ms) * 1e6)),
            "attributes": [{"key": k, "value": _value(v)} for k, v in sorted(span.attributes.items())],
            "status": {"code": 2, "message": span.error} if span.error else {},
        }
        if span.parent >= 0:
            record["parentSpanId"] = _span_id(trace_id, span.parent)
        spans.append(record)
    scope = {"scope": {"name": "polyrag", "version": version}, "spans": spans}
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "polyrag"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def _span_id(trace_id: str, index: int) -> str:
    return hashlib.sha256(f"{trace_id}:{index}".encode()).hexdigest()[:16]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"stringValue": str(value)}
