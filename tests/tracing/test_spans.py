"""Spans: the tree, errors, threads of their own, and nothing recorded without a trace."""

import threading

import pytest

from polyrag_cli.tracing import content, listening, span, spans, trace
from polyrag_cli.types import SpanEvent


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
    seen: list[SpanEvent] = []
    with listening(seen.append), span("alone") as handle:
        handle.set_attribute("n", 1)
    assert seen == []
    assert handle is spans._NULL_SPAN


def test_a_listener_hears_spans_start_and_end() -> None:
    seen: list[SpanEvent] = []
    with listening(seen.append), trace("ask") as recorder, span("cache.lookup") as lookup:
        lookup.set_attribute("hit", True)
    assert [(e.name, e.ms is None) for e in seen] == [
        ("ask", True),
        ("cache.lookup", True),
        ("cache.lookup", False),
        ("ask", False),
    ]
    started, ended = seen[1], seen[2]
    assert (started.span_id, started.start_ms) == (ended.span_id, ended.start_ms)
    assert started.parent_id == seen[0].span_id and seen[0].parent_id == ""
    assert (started.attributes, ended.attributes) == ({}, {"hit": True})
    assert {e.trace_id for e in seen} == {recorder.trace_id}


def test_a_listener_hears_only_the_traces_of_its_own_block() -> None:
    heard: list[str] = []

    def work(name: str) -> None:
        with listening(lambda event: heard.append(f"{name}:{event.name}")), trace(name):
            barrier.wait()

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with trace("c"):
        pass
    assert sorted(heard) == ["a:a", "a:a", "b:b", "b:b"]


def test_a_failed_span_is_heard_as_failed() -> None:
    seen: list[SpanEvent] = []
    with pytest.raises(ValueError, match="broken"), listening(seen.append), trace("ask"):
        raise ValueError("broken")
    assert seen[0].error == "" and "broken" in seen[1].error


def test_content_is_off_unless_asked_for() -> None:
    with trace("ask"):
        assert content(question="Why?") == {}
    with trace("ask", content=True):
        assert content(question="Why?") == {"question": "Why?"}
    assert content(question="Why?") == {}


def test_a_trace_that_nobody_reads_collects_nothing_and_is_still_heard() -> None:
    seen: list[SpanEvent] = []
    with (
        listening(seen.append),
        trace("ingest", keep=False) as recorder,
        span("ingest.load"),
    ):
        pass
    assert recorder.records() == ()
    assert [event.name for event in seen if event.ms is not None] == ["ingest.load", "ingest"]
