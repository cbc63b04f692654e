"""An engine whose times and trace ids are the same in every run; everything else is real."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from polyrag_cli.engine import Engine
from polyrag_cli.engine.traces import Traces
from polyrag_cli.types import Answer, DecisionMade, Event, RouteDecision, SpanRecord

# Milliseconds of a span itself, without those below it: about what a warm engine takes on the demo corpus.
_OWN_MS = {
    "cache.lookup": 0.4,
    "embed.query": 2.7,
    "pipeline.router": 3.1,
    "rag.relational.generate_sql": 4.0,
    "rag.relational.execute": 2.5,
    "rag.vectorial.search": 3.2,
    "rag.graph.seeds": 2.6,
    "rag.graph.pagerank": 1.4,
    "rag.graph.fuse": 0.3,
    "answer.extractive": 4.1,
}
_OTHER_MS = 0.2


class FrozenEngine(Engine):
    """Spans last as long as their names say, and traces are numbered."""

    def route(self, question: str) -> RouteDecision:
        """The decision, with made up times."""
        return _decision(super().route(question))

    def ask_events(
        self,
        question: str,
        route: str | None = None,
        strategy: str | None = None,
        top_k: int | None = None,
        use_cache: bool = True,
    ) -> Iterator[Event]:
        """What happens; the decision has made up times too."""
        for event in super().ask_events(question, route, strategy, top_k, use_cache):
            yield DecisionMade(_decision(event.decision)) if isinstance(event, DecisionMade) else event

    @cached_property
    def traces(self) -> Traces:
        """What questions left behind, each with made up times."""
        return FrozenTraces(self, self._decider)


class FrozenTraces(Traces):
    """Keeps each trace as if its spans lasted as long as their names say."""

    _numbered = 0

    def keep(self, answer: Answer) -> Answer:
        """Keeps a trace with made up times and a number for its id."""
        self._numbered += 1
        spans = _spans(answer.spans)
        took = round(spans[0].ms + 0.3, 1) if spans else 1.0
        frozen = replace(answer, spans=spans, took_ms=took, trace_id=f"{self._numbered:04x}" * 4)
        return super().keep(replace(frozen, decision=_decision(answer.decision)))


def _decision(decision: RouteDecision) -> RouteDecision:
    return replace(decision, took_ms=3.1, timings={"embed": 0.0, "score": 0.2, "evidence": 2.8})


def _spans(spans: tuple[SpanRecord, ...]) -> tuple[SpanRecord, ...]:
    """Each span lasts as long as its name says and as those below it do; they begin one after the other."""
    lasting = [_OWN_MS.get(span.name, _OTHER_MS) for span in spans]
    for index in range(len(spans) - 1, 0, -1):
        if spans[index].parent >= 0:
            lasting[spans[index].parent] += lasting[index]
    found: list[SpanRecord] = []
    # Where the next span below each one begins.
    free: list[float] = []
    for span, ms in zip(spans, lasting, strict=True):
        start = free[span.parent] if span.parent >= 0 else 0.0
        if span.parent >= 0:
            free[span.parent] += ms
        found.append(replace(span, start_ms=round(start, 1), ms=round(ms, 1)))
        free.append(start)
    return tuple(found)
