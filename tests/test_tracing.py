"""Spans: the tree, errors, threads of their own, and nothing recorded without a trace."""

import pytest

from polyrag_cli import tracing
from polyrag_cli.tracing import content, listening, span, trace


def test_spans_form_a_tree_with_times_and_attributes() -> None:
    with trace("ask", clauses=1) as recorder:
        with span("pipeline.router") as inner:
            inner.set_attribute("stage", 2)
            with span("rag.graph.seeds"):
                pass
        with span("answer.extractive"):
            pass
    records = recorder.records()
    assert [(r.name, r.parent) for r in records] == [
        ("ask", -1),
        ("pipeline.router", 0),
        ("rag.graph.seeds", 1),
        ("answer.extractive", 0),
    ]
    assert records[1].attributes == {"stage": 2}
    assert records[0].start_ms == 0
    assert all(r.ms >= 0 and r.start_ms + r.ms <= records[0].ms + 0.01 for r in records)
    assert len(recorder.trace_id) == 16


def test_an_exception_marks_its_span_and_passes_on() -> None:
    with pytest.raises(ValueError, match="broken"), trace("ask") as recorder, span("rag.vectorial.search"):
        raise ValueError("broken")
    assert [bool(r.error) for r in recorder.records()] == [True, True]


def test_without_a_trace_nothing_is_recorded() -> None:
    seen: list[str] = []
    with listening(lambda trace_id, name, start, ms: seen.append(name)), span("alone") as handle:
        handle.set_attribute("n", 1)
    assert seen == []
    assert handle is tracing._NULL_SPAN


def test_listeners_hear_spans_as_they_end() -> None:
    seen: list[str] = []
    with listening(lambda trace_id, name, start, ms: seen.append(name)), trace("ask"), span("cache.lookup"):
        pass
    assert seen == ["cache.lookup", "ask"]


def test_content_is_off_unless_asked_for() -> None:
    with trace("ask"):
        assert content(question="Why?") == {}
    with trace("ask", content=True):
        assert content(question="Why?") == {"question": "Why?"}
    assert content(question="Why?") == {}


def test_a_trace_that_nobody_reads_collects_nothing_and_is_still_heard() -> None:
    seen: list[str] = []
    with (
        listening(lambda trace_id, name, start, ms: seen.append(name)),
        trace("ingest", keep=False) as recorder,
        span("ingest.load"),
    ):
        pass
    assert recorder.records() == ()
    assert seen == ["ingest.load", "ingest"]
