"""A question on its way: decided, retrieved for and answered, one event after the other.

Between two events nothing is held but values: no transaction, no lock, no current span. A consumer may take its time,
go on in another thread, or never come back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from polyrag_cli import tracing
from polyrag_cli.engine.deciding import Decider
from polyrag_cli.engine.parts import Parts
from polyrag_cli.stores.base import Snapshot, Work
from polyrag_cli.strategies.base import Query
from polyrag_cli.types import (
    Answer,
    AnswerReady,
    DecisionMade,
    Event,
    RouteDecision,
    SpanEnded,
    SpanEvent,
    SpanStarted,
)

if TYPE_CHECKING:
    from polyrag_cli.answering.cache import AnswerCache


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is put.

    written: as its asker wrote it; text: what is read of it. route, strategy: forced ones. top_k: passages that a
    clause may draw on. cache: what serves and keeps its answer; None where none should.
    """

    written: str
    text: str
    route: str | None
    strategy: str | None
    top_k: int
    cache: AnswerCache | None


class Asker:
    """Takes questions through an engine's parts.

    keep: what becomes of a traced answer: the same with what its asker should know of that.
    """

    def __init__(self, parts: Parts, decider: Decider, keep: Callable[[Answer], Answer]) -> None:
        self._parts = parts
        self._decider = decider
        self._keep = keep

    def events(self, question: Question) -> Iterator[Event]:
        """What happens to a question, the answer last. Closed early, the question is dropped and leaves no trace."""
        # The spans that are open belong to the question's own context: whoever consumes this goes on in theirs.
        context = copy_context()
        steps = self._steps(question)
        try:
            while (event := context.run(next, steps, None)) is not None:
                yield event
        finally:
            context.run(steps.close)

    def _steps(self, question: Question) -> Generator[Event, None, None]:
        heard: deque[SpanEvent] = deque()
        started = time.perf_counter()
        try:
            with self._parts.traced("ask", listener=heard.append) as trace:
                answer = yield from self._stages(question, heard)
        except Exception:
            # What failed is told before its error is.
            yield from _told(heard)
            raise
        took = round((time.perf_counter() - started) * 1000, 3)
        yield from _told(heard)
        answer = replace(answer, question=question.written, took_ms=took)
        if trace is not None:
            answer = self._keep(replace(answer, trace_id=trace.trace_id, spans=trace.records()))
        yield AnswerReady(answer)

    def _stages(self, question: Question, heard: deque[SpanEvent]) -> Generator[Event, None, Answer]:
        """Each stage reads through a snapshot of its own, closed before anything is told."""
        work = Work()
        yield from _told(heard)
        asked, served = self._parts.read(partial(self._looked_up, question), work)
        yield from _told(heard)
        if served is not None:
            return served
        decision = self._parts.read(partial(self._decided, question, asked), work)
        yield from _told(heard)
        yield DecisionMade(decision)
        answer = self._parts.read(partial(self._answered, question, asked, decision), work)
        yield from _told(heard)
        if answer.decision is not decision:
            yield DecisionMade(answer.decision)
        return answer

    def _looked_up(self, question: Question, snapshot: Snapshot) -> tuple[Query, Answer | None]:
        asked = self._decider.query(question.text, question.top_k, snapshot)
        if question.cache is None:
            return asked, None
        with tracing.span("cache.lookup") as lookup:
            found = question.cache.lookup(question.text, asked.vector, self._parts.answer_hash, snapshot)
            lookup.set_attribute("hit", found is not None)
        return asked, found

    def _decided(self, question: Question, asked: Query, snapshot: Snapshot) -> RouteDecision:
        return self._decider.decide(question.text, snapshot, asked.vector, question.route, question.strategy)

    def _answered(self, question: Question, asked: Query, decision: RouteDecision, snapshot: Snapshot) -> Answer:
        if decision.generation != snapshot.generation:
            # The corpus changed since: one answer is of one state of it.
            asked = self._decider.query(question.text, question.top_k, snapshot)
            decision = self._decided(question, asked, snapshot)
        answer = self._parts.answerer.answer(asked, decision, snapshot)
        if question.cache is not None and answer.answer is not None and not answer.degraded:
            warning = question.cache.remember(answer, asked.vector, self._parts.answer_hash, snapshot)
            answer = replace(answer, warnings=answer.warnings + warning)
        return answer


def _told(heard: deque[SpanEvent]) -> Iterator[Event]:
    """What was heard of spans since the last call."""
    while heard:
        span = heard.popleft()
        yield SpanStarted(span) if span.ms is None else SpanEnded(span)
