"""What questions left behind: kept traces, and their decisions made again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polyrag_cli.engine.deciding import Decider, check_question
from polyrag_cli.engine.parts import Parts
from polyrag_cli.errors import QueryRejected, StoreError, UsageError
from polyrag_cli.types import Answer, Replay, RouteDecision, as_json

if TYPE_CHECKING:
    from polyrag_cli.routing.replay_report import Replayed, ReplayReport, Unreadable
    from polyrag_cli.stores.activity import TraceRecord

OnProgress = Callable[[int, int], None]
"""Called with traces done and traces in all."""

# As good as no limit.
_EVERY = 1_000_000_000


class Traces:
    """The traces of one data directory."""

    def __init__(self, parts: Parts, decider: Decider) -> None:
        self._parts = parts
        self._decider = decider

    # ------------------------------------------------------------ kept ones
    def list(
        self,
        limit: int | None = 20,
        route: str | None = None,
        cached: bool | None = None,
        failed: bool | None = None,
        min_ms: float | None = None,
        text: str = "",
    ) -> Sequence[TraceRecord]:
        """The newest traces first, without payload; all of them where `limit` is None.

        route: only those of which a clause went there, where asked; cached, failed: only those. min_ms: only those
        that took at least so many milliseconds. text: only those whose question holds it, case and accents aside, or
        whose id begins with it.
        """
        most = _EVERY if limit is None else min(limit, _EVERY)
        return self._parts.activity.list_traces(most, route, cached, failed, min_ms, text)

    def newest(self) -> int:
        """A number that grows with each trace that any process keeps; 0 before the first."""
        return self._parts.activity.newest_trace()

    def record(self, trace_id: str) -> TraceRecord:
        """A kept trace by its id or a unique beginning of it.

        Raises UsageError for an unknown one, StoreError for a damaged one.
        """
        return self._parts.activity.trace(trace_id)

    def stored(self, trace_id: str) -> dict[str, Any]:
        """A kept trace as `ask --json` gave it. Raises as `record` does."""
        from polyrag_cli.answering.records import stored_fields

        return stored_fields(self.record(trace_id).payload)

    def keep(self, answer: Answer) -> Answer:
        """Keeps an answer's trace; where that fails the answer still goes out, with a warning."""
        payload = json.dumps(as_json(answer), ensure_ascii=True)
        try:
            self._parts.activity.put_trace(
                answer.trace_id,
                question=answer.question,
                routes=answer.routes,
                cached=answer.cached,
                failed=answer.answer is None,
                took_ms=answer.took_ms,
                payload_json=payload,
            )
        except StoreError as error:
            return replace(answer, warnings=(*answer.warnings, f"trace not kept: {error.message}"))
        return answer

    # ------------------------------------------------------------ questions in them
    def questions(self, most: int) -> Sequence[str]:
        """The newest questions, newest first, each once; answers from the cache are left out."""
        asked = (record.question for record in self.list(5 * most, cached=False))
        return list(dict.fromkeys(question for question in asked if any(c.isalnum() for c in question)))[:most]

    def decisions(self, most: int) -> dict[str, RouteDecision]:
        """The newest questions with the decisions that they got, newest first, each once; answers from the cache and
        forced routes are left out, and so is what can't be read."""
        found: dict[str, RouteDecision] = {}
        for record in self.list(5 * most, cached=False):
            if record.question not in found and len(found) < most:
                decision = self._read(record.trace_id)
                if isinstance(decision, RouteDecision) and all(clause.stage for clause in decision.clauses):
                    found[record.question] = decision
        return found

    # ------------------------------------------------------------ decided again
    def replay(self, trace_id: str) -> Replay:
        """Recomputes a trace's decision and compares. Raises as `stored` does."""
        from polyrag_cli.routing.replay import decision_from_json, differences

        payload = self.stored(trace_id)
        before = decision_from_json(payload["decision"])
        text = check_question(before.question)
        now = self._parts.read(
            lambda snapshot: self._decider.decide(
                text, snapshot, route=before.forced_route, strategy=before.forced_strategy
            )
        )
        found = differences(before, now)
        return Replay(payload["trace_id"], not found, before, now, found)

    def replay_one(self, name: str) -> Replay:
        """The trace of which `name` is the id or its first digits, decided again.

        Raises UsageError for an unknown trace, StoreError for one that can't be read.
        """
        trace_id = self._named(name)
        decision = self._read(trace_id)
        if isinstance(decision, str):
            raise StoreError(f"trace {trace_id[:8]} can't be read: {decision}", "Ask again to store a new one.")
        return self.replay(trace_id)

    def replay_all(self, trace_ids: Sequence[str], on_progress: OnProgress = lambda done, total: None) -> ReplayReport:
        """Makes each stored decision again. A trace that can't be read is reported, and the others go on.

        Raises StoreError when the corpus itself can't be read.
        """
        from polyrag_cli.routing.replay_report import report_of

        def told() -> Iterator[Replayed | Unreadable]:
            # One trace is read at a time; what is kept of it are a few lines of text.
            for done, trace_id in enumerate(trace_ids, 1):
                yield self._replayed(trace_id)
                on_progress(done, len(trace_ids))

        return report_of(told())

    def named(self, names: Sequence[str]) -> Sequence[str]:
        """Full ids of traces named by their first digits, each once. Raises UsageError for an unknown one."""
        return list(dict.fromkeys(self._named(name) for name in names))

    def _named(self, name: str) -> str:
        try:
            return self.record(name).trace_id
        except StoreError:
            # It is there, and is reported as unreadable with the others.
            return name

    def _replayed(self, trace_id: str) -> Replayed | Unreadable:
        from polyrag_cli.routing.replay_report import Unreadable, replayed_as

        decision = self._read(trace_id)
        if isinstance(decision, str):
            return Unreadable(trace_id, decision)
        try:
            return replayed_as(self.replay(trace_id))
        except QueryRejected as error:
            # A stored question that couldn't be asked.
            return Unreadable(trace_id, error.message)

    def _read(self, trace_id: str) -> RouteDecision | str:
        """A trace's decision, or why it can't be read: another version wrote it, or it is kept no longer."""
        from polyrag_cli.routing.replay import decision_from_json

        try:
            return decision_from_json(self.stored(trace_id)["decision"])
        except UsageError:
            return "no longer kept"
        except StoreError as error:
            return error.message
