"""The events of a question: their order, what they end with, and what is held while nobody takes the next one."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.trace import INVALID_SPAN, get_current_span

from polyrag_cli import tracing
from polyrag_cli.engine import Engine
from polyrag_cli.errors import QueryRejected, StoreError, UsageError
from polyrag_cli.tracing import spans as span_module
from polyrag_cli.types import (
    Answer,
    AnswerReady,
    DecisionMade,
    Event,
    SpanEnded,
    SpanEvent,
    SpanRecord,
    SpanStarted,
    answer_of,
    as_json,
)
from tests.questions import FIGURE, RULE, STORY


def told(event: Event) -> str:
    match event:
        case SpanStarted(span=span):
            return f"+{span.name}"
        case SpanEnded(span=span):
            return f"-{span.name}"
    return event.event


def timeless(answer: Answer) -> Answer:
    decision = replace(answer.decision, took_ms=0.0, timings={})
    return replace(answer, decision=decision, took_ms=0.0, trace_id="", spans=())


def test_a_question_is_told_in_the_order_in_which_it_is_worked_on(engine: Engine) -> None:
    events = [told(event) for event in engine.ask_events(RULE, strategy="dense", route="vectorial")]
    assert events == [
        "+ask",
        "+embed.query",
        "-embed.query",
        "+pipeline.router",
        "-pipeline.router",
        "decision_made",
        "+rag.vectorial.search",
        "-rag.vectorial.search",
        "+answer.extractive",
        "-answer.extractive",
        "-ask",
        "answer_ready",
    ]


def test_the_decision_is_told_before_anything_is_retrieved(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    retrieved: list[int] = []
    real = own_engine.answerer.answer

    def answer(*given: Any) -> Any:
        retrieved.append(1)
        return real(*given)

    monkeypatch.setattr(own_engine.answerer, "answer", answer)
    events = own_engine.ask_events(RULE, use_cache=False)
    decision = next(event for event in events if isinstance(event, DecisionMade)).decision
    assert retrieved == []
    assert answer_of(events).decision is decision
    assert retrieved == [1]


@pytest.mark.parametrize("question", [FIGURE, RULE, STORY, f"{FIGURE[:-1]} e como tudo começou?", "Xyzzy plugh?"])
def test_ask_gives_the_answer_that_the_events_end_with(engine: Engine, question: str) -> None:
    answer = answer_of(engine.ask_events(question, use_cache=False))
    assert timeless(answer) == timeless(engine.ask(question, use_cache=False))
    assert answer.question == question


def test_the_stored_trace_has_the_spans_that_were_told(own_engine: Engine) -> None:
    events = list(own_engine.ask_events(f"{FIGURE[:-1]} e como tudo começou?", use_cache=False))
    answer = answer_of(events)
    ended = [event.span for event in events if isinstance(event, SpanEnded)]
    started = [event.span for event in events if isinstance(event, SpanStarted)]
    assert [span.span_id for span in started] != [span.span_id for span in ended]
    assert {span.span_id for span in started} == {span.span_id for span in ended}
    assert {span.trace_id for span in started + ended} == {answer.trace_id}
    # A time since 1970 has a quarter of a microsecond for its last digit.
    for heard, kept in zip(records(ended), answer.spans, strict=True):
        assert heard.start_ms == pytest.approx(kept.start_ms, abs=0.002)
        assert replace(heard, start_ms=kept.start_ms) == kept
    stored = own_engine.traces.stored(answer.trace_id)
    assert [SpanRecord(**span) for span in stored["spans"]] == list(answer.spans)
    assert stored == as_json(answer)


def records(ended: list[SpanEvent]) -> list[SpanRecord]:
    """Span events as a trace would record them."""
    order = sorted(ended, key=lambda span: (span.start_ms, -(span.start_ms + (span.ms or 0.0))))
    place = {span.span_id: number for number, span in enumerate(order)}
    return [
        SpanRecord(
            span.name,
            place.get(span.parent_id, -1),
            round(span.start_ms - order[0].start_ms, 3),
            round(span.ms or 0.0, 3),
            span.attributes,
            span.error,
        )
        for span in order
    ]


def test_an_answer_from_the_cache_comes_without_a_decision(own_engine: Engine) -> None:
    own_engine.ask(RULE)
    events = list(own_engine.ask_events(RULE))
    assert [told(event) for event in events] == [
        "+ask",
        "+embed.query",
        "-embed.query",
        "+cache.lookup",
        "-cache.lookup",
        "-ask",
        "answer_ready",
    ]
    assert answer_of(events).cached


def test_nothing_is_held_while_the_consumer_thinks(own_engine: Engine) -> None:
    """No read transaction, which would keep a writer's pages alive, and no current span, which would adopt others'."""
    held, spans = [], []
    for _ in own_engine.ask_events(RULE, use_cache=False):
        # Within a transaction every snapshot of a thread is the same one.
        with own_engine.catalog.snapshot() as one:
            pass
        with own_engine.catalog.snapshot() as other:
            held.append(one is other)
        spans.append(get_current_span() is INVALID_SPAN and span_module._ACTIVE.get() is None)
    assert len(held) > 6
    assert not any(held)
    assert all(spans)


def test_a_consumer_may_ingest_and_ask_between_two_events(own_engine: Engine) -> None:
    seen = []
    for event in own_engine.ask_events("Which colour is the lantern on the pier?"):
        seen.append(told(event))
        if len(seen) == 1:
            own_engine.ingest_text("The lantern on the pier is green.", document="pier")
            assert own_engine.ask(STORY).answer
    assert seen.count("decision_made") == 1
    assert isinstance(event, AnswerReady)
    assert event.answer.answer is not None and "green" in event.answer.answer


def test_a_corpus_that_changed_after_the_decision_is_decided_for_again(own_engine: Engine) -> None:
    decisions = []
    for event in own_engine.ask_events("Which colour is the lantern on the pier?", use_cache=False):
        if isinstance(event, DecisionMade):
            decisions.append(event.decision)
            own_engine.ingest_text(f"The lantern on pier {len(decisions)} is green.", document=f"{len(decisions)}.txt")
    assert isinstance(event, AnswerReady)
    assert [decision.generation for decision in decisions] == [1, 2]
    assert event.answer.decision == decisions[-1]
    assert event.answer.answer is not None and "green" in event.answer.answer


def test_a_question_that_is_dropped_ends_its_spans_and_keeps_nothing(own_engine: Engine) -> None:
    heard: list[SpanEvent] = []
    before = own_engine.traces.list(10)
    with tracing.listening(heard.append):
        events = own_engine.ask_events(RULE)
        assert isinstance(next(event for event in events if isinstance(event, DecisionMade)), DecisionMade)
        events.close()  # type: ignore[attr-defined]
    assert next(events, None) is None
    open_spans = {span.span_id for span in heard} - {span.span_id for span in heard if span.ms is not None}
    assert (heard[0].name, open_spans) == ("ask", set())
    assert own_engine.traces.list(10) == before
    assert not own_engine.ask(RULE).cached


def test_what_fails_is_told_before_it_is_raised(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk is gone.")

    monkeypatch.setattr(own_engine.answerer, "answer", broken)
    events = own_engine.ask_events(RULE, use_cache=False)
    seen = []
    with pytest.raises(StoreError, match="the disk is gone"):
        for event in events:
            seen.append(event)
    assert isinstance(seen[-1], SpanEnded)
    assert seen[-1].span.name == "ask" and "the disk is gone" in seen[-1].span.error


def test_a_question_that_can_not_be_is_refused_at_once(engine: Engine) -> None:
    with pytest.raises(QueryRejected):
        engine.ask_events("  ?! ")
    with pytest.raises(UsageError, match="'sideways' is no route"):
        engine.ask_events(RULE, route="sideways")


def test_two_threads_are_told_of_their_own_question_alone(engine: Engine) -> None:
    """Also where both go on step by step, each time in the other's thread."""
    questions = [RULE, STORY]
    streams = [engine.ask_events(question, use_cache=False) for question in questions]
    told_of: list[list[Event]] = [[], []]
    lock = [threading.Lock(), threading.Lock()]
    turn = threading.Barrier(2)

    def consume(first: int) -> None:
        for step in range(60):
            turn.wait()
            one = (first + step) % 2
            with lock[one]:
                told_of[one] += [event for event in [next(streams[one], None)] if event is not None]

    threads = [threading.Thread(target=consume, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for question, events in zip(questions, told_of, strict=True):
        answer = answer_of(events)
        assert timeless(answer) == timeless(engine.ask(question, use_cache=False))
        heard = [event.span for event in events if isinstance(event, SpanEnded)]
        assert {span.trace_id for span in heard} == {answer.trace_id}
        assert len(heard) == len(answer.spans)


def test_without_tracing_the_decision_and_the_answer_are_told(own_data: Path) -> None:
    overrides = {"embedder.name": "hashing", "tracing.enabled": False}
    with Engine.open(data_dir=own_data, overrides=overrides) as quiet:
        assert [told(event) for event in quiet.ask_events(RULE)] == ["decision_made", "answer_ready"]


def test_what_a_question_found_is_not_searched_for_again(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deciding and answering read through two snapshots: what the stores remember of the question spans both."""
    works = set()
    real = engine.stores.vector.search

    def search(snapshot: Any, *given: Any) -> Any:
        works.add(snapshot.work)
        return real(snapshot, *given)

    monkeypatch.setattr(engine.stores.vector, "search", search)
    engine.ask(STORY, use_cache=False)
    assert len(works) == 1
    engine.ask(STORY, use_cache=False)
    assert len(works) == 2


def test_events_are_json_by_their_fields(engine: Engine) -> None:
    events = [as_json(event) for event in engine.ask_events(RULE, use_cache=False)]
    assert [sorted(event) for event in (events[0], events[-1])] == [["event", "span"], ["answer", "event"]]
    assert [event["event"] for event in (events[0], events[-1])] == ["span_started", "answer_ready"]
    with pytest.raises(TypeError, match="not span_started"):
        answer_of([next(engine.ask_events(RULE))])
