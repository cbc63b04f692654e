"""An engine whose times and trace ids are the same in every run; everything else is real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polyrag_cli.engine import Engine
from polyrag_cli.types import Answer, RouteDecision, SpanRecord

_STEP_MS = 1.6


class FrozenEngine(Engine):
    """Spans last as long as their place in the tree says, and traces are numbered."""

    _numbered = 0

    def route(self, question: str) -> RouteDecision:
        """The decision, with made up times."""
        return _decision(super().route(question))

    def ask(
        self,
        question: str,
        route: str | None = None,
        strategy: str | None = None,
        top_k: int | None = None,
        use_cache: bool = True,
        on_decision: Callable[[RouteDecision], None] | None = None,
    ) -> Answer:
        """The answer; listeners hear of its decision with made up times too."""
        told = None if on_decision is None else lambda decision: on_decision(_decision(decision))
        return super().ask(question, route, strategy, top_k, use_cache, told)

    def _remember(self, answer: Answer) -> Answer:
        self._numbered += 1
        spans = _spans(answer.spans)
        took = round(spans[0].ms + 0.3, 1) if spans else 1.0
        frozen = replace(answer, spans=spans, took_ms=took, trace_id=f"{self._numbered:04x}" * 4)
        return super()._remember(replace(frozen, decision=_decision(answer.decision)))


def _decision(decision: RouteDecision) -> RouteDecision:
    return replace(decision, took_ms=1.9, timings={"embed": 1.3, "score": 0.1, "evidence": 0.5})


def _spans(spans: tuple[SpanRecord, ...]) -> tuple[SpanRecord, ...]:
    """Each span begins one step after the one before it and lasts one step for itself and each span below it."""
    below = [1] * len(spans)
    for index in range(len(spans) - 1, 0, -1):
        if spans[index].parent >= 0:
            below[spans[index].parent] += below[index]
    return tuple(
        replace(span, start_ms=round(index * _STEP_MS, 1), ms=round(below[index] * _STEP_MS, 1))
        for index, span in enumerate(spans)
    )
