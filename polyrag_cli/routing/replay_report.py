"""Stored decisions beside today's, many of them: what is decided differently, what changed since, and which counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from polyrag_cli.display.text import number_change
from polyrag_cli.routing.replay import stamps
from polyrag_cli.types import ClauseDecision, Replay, RouteDecision, RouteScore

Change = Literal["same", "stamp", "score", "decision", "route"]
"""What differs at most: nothing; only the configuration's hash or the corpus generation, which is the same decision; a
number or its evidence; the strategy, stage, second route or whether it can be answered; the route or the clauses."""
SAME: tuple[Change, ...] = ("stamp", "same")
ORDER: tuple[Change, ...] = ("route", "decision", "score", "stamp", "same")

Cause = Literal["", "configuration", "corpus", "configuration and corpus", "neither"]
"""What changed since: "neither" means that the program itself decides otherwise; "" where nothing did and
nothing differs."""

_CAUSES: tuple[Cause, ...] = ("configuration", "corpus", "configuration and corpus", "neither")


@dataclass(frozen=True, slots=True)
class Replayed:
    """One stored decision beside today's; `before` and `now` are the routes of its clauses.

    moved: the largest change of a route's final score in any clause, at least 0.
    reasons: what differs, in a few words each, for the routes that were and are taken; differences: all of it.
    stamps: the other configuration and corpus generation that it is decided under today.
    """

    trace_id: str
    question: str
    change: Change
    cause: Cause
    before: str
    now: str
    moved: float = 0.0
    reasons: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    stamps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A stored trace that can't be read, and why."""

    trace_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """All replayed traces, changed routes first; then by how far a score moved, newest first among equals.

    changes, causes: how many there are of each kind; all kinds are named.
    """

    replayed: tuple[Replayed, ...]
    unreadable: tuple[Unreadable, ...]
    changes: Mapping[str, int] = field(default_factory=dict)
    causes: Mapping[str, int] = field(default_factory=dict)

    @property
    def different(self) -> int:
        """How many decisions differ in anything decided."""
        return sum(one.change not in SAME for one in self.replayed)

    @property
    def rerouted(self) -> int:
        """How many go to another route, or fall into other clauses."""
        return sum(one.change == "route" for one in self.replayed)


def report_of(outcomes: Iterable[Replayed | Unreadable]) -> ReplayReport:
    """The report of replayed traces, newest first."""
    replayed: list[Replayed] = []
    unreadable: list[Unreadable] = []
    for outcome in outcomes:
        if isinstance(outcome, Unreadable):
            unreadable.append(outcome)
        else:
            replayed.append(outcome)
    replayed.sort(key=lambda one: (ORDER.index(one.change), -one.moved))
    changes = Counter(one.change for one in replayed)
    causes = Counter(one.cause for one in replayed)
    return ReplayReport(
        tuple(replayed),
        tuple(unreadable),
        {name: changes[name] for name in ORDER},
        {name: causes[name] for name in _CAUSES if causes[name]},
    )


def replayed_as(replay: Replay) -> Replayed:
    """One replay with what differs at most, and what has changed since."""
    stored, now = replay.stored, replay.recomputed
    made_under = stamps(stored, now)
    change: Change = ("stamp" if made_under else "same") if replay.same else _change(stored, now)
    return Replayed(
        replay.trace_id,
        stored.question,
        change,
        _cause(stored, now) if change != "same" else "",
        _routes(stored),
        _routes(now),
        _moved(stored, now),
        # Where only other routes' numbers moved, the first of those is said.
        reasons(stored, now) or replay.differences[:1],
        replay.differences,
        made_under,
    )


def _change(stored: RouteDecision, now: RouteDecision) -> Change:
    if [(c.text, c.route) for c in stored.clauses] != [(c.text, c.route) for c in now.clauses]:
        return "route"
    if [_decided(c) for c in stored.clauses] != [_decided(c) for c in now.clauses]:
        return "decision"
    # A reason repeats numbers, so it is one of them.
    return "score"


def _decided(clause: ClauseDecision) -> tuple[object, ...]:
    return clause.strategy, clause.stage, clause.also, clause.answerable


def _moved(stored: RouteDecision, now: RouteDecision) -> float:
    moves = [0.0]
    for before, after in zip(stored.clauses, now.clauses, strict=False):
        known = {score.route: score.final_score for score in after.scores}
        moves += [abs(known[s.route] - s.final_score) for s in before.scores if s.route in known]
    return round(max(moves), 6)


def reasons(stored: RouteDecision, now: RouteDecision) -> tuple[str, ...]:
    """What differs between two decisions in short: clauses, scores, anchors and evidence of the routes taken."""
    found = []
    if len(stored.clauses) != len(now.clauses):
        found.append(f"clauses {len(stored.clauses)} → {len(now.clauses)}")
    for before, after in zip(stored.clauses, now.clauses, strict=False):
        routes = tuple(dict.fromkeys((before.route, after.route)))
        # Between two routes both scores count, also one that stayed.
        found += [text for route in routes for text in _score_reason(route, before, after, len(routes) > 1)]
        found += [text for route in routes for text in _source_reasons(route, before, after)]
        for name, label in (("strategy", "strategy"), ("stage", "stage"), ("also", "also searched")):
            was, is_now = getattr(before, name), getattr(after, name)
            if was != is_now and (name != "strategy" or len(routes) == 1):
                found.append(f"{label} {_shown(was)} → {_shown(is_now)}")
        if before.answerable != after.answerable:
            found.append("now answerable" if after.answerable else "no longer answerable")
    return tuple(dict.fromkeys(found))


def _score_reason(route: str, before: ClauseDecision, after: ClauseDecision, always: bool) -> list[str]:
    old, new = _score_of(route, before), _score_of(route, after)
    if old is None or new is None:
        return [f"{route} is {'new' if old is None else 'gone'}"] if old is not new else []
    if old.final_score == new.final_score:
        return [f"{route} {old.final_score:.2f}"] if always else []
    return [f"{route} {number_change(old.final_score, new.final_score)}"]


def _source_reasons(route: str, before: ClauseDecision, after: ClauseDecision) -> list[str]:
    """What a route's score rests on: its nearest anchor and its evidence, where they are others."""
    old, new = _score_of(route, before), _score_of(route, after)
    if old is None or new is None:
        return []
    found = [f"anchor of {route} now “{new.anchor}”"] if old.anchor != new.anchor else []
    held = [f"{e.kind} “{e.name}”" if e is not None else "none" for e in (old.evidence, new.evidence)]
    return [*found, f"evidence for {route} {held[0]} → {held[1]}"] if held[0] != held[1] else found


def _score_of(route: str, clause: ClauseDecision) -> RouteScore | None:
    return next((score for score in clause.scores if score.route == route), None)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _cause(stored: RouteDecision, now: RouteDecision) -> Cause:
    configured = stored.config_hash != now.config_hash
    if stored.generation != now.generation:
        return "configuration and corpus" if configured else "corpus"
    return "configuration" if configured else "neither"


def _routes(decision: RouteDecision) -> str:
    return "+".join(clause.route for clause in decision.clauses)
