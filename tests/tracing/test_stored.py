"""Stored traces as OTLP/JSON."""

from __future__ import annotations

from polyrag_cli.tracing.stored import otlp, spans_of

PAYLOAD = {
    "trace_id": "00ff",
    "took_ms": 12.5,
    "spans": [
        {"name": "ask", "parent": -1, "start_ms": 0.0, "ms": 12.0, "attributes": {}, "error": ""},
        {
            "name": "find",
            "parent": 0,
            "start_ms": 2.0,
            "ms": 1.5,
            "attributes": {"n": 3, "ok": True, "s": 0.5},
            "error": "gone",
        },
    ],
}


def test_times_are_absolute_and_parents_are_named() -> None:
    (resource,) = otlp(PAYLOAD, ended_s=1000.0, version="1.2")["resourceSpans"]
    root, child = resource["scopeSpans"][0]["spans"]
    assert (root["startTimeUnixNano"], root["endTimeUnixNano"]) == ("999987500000", "999999500000")
    assert (child["startTimeUnixNano"], child["endTimeUnixNano"]) == ("999989500000", "999991000000")
    assert "parentSpanId" not in root and child["parentSpanId"] == root["spanId"] != child["spanId"]
    assert resource["scopeSpans"][0]["scope"] == {"name": "polyrag", "version": "1.2"}
    assert (len(root["traceId"]), len(root["spanId"])) == (32, 16)
    assert root["status"] == {} and child["status"] == {"code": 2, "message": "gone"}
    assert child["attributes"] == [
        {"key": "n", "value": {"intValue": "3"}},
        {"key": "ok", "value": {"boolValue": True}},
        {"key": "s", "value": {"doubleValue": 0.5}},
    ]


def test_spans_come_back() -> None:
    assert [(span.name, span.parent, span.error) for span in spans_of(PAYLOAD)] == [
        ("ask", -1, ""),
        ("find", 0, "gone"),
    ]
