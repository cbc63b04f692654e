"""Which stage changed a question between two runs, in one line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from polyrag_cli.display.text import clip, number_change
from polyrag_cli.evaluation.quality.runner import ItemResult
from polyrag_cli.types import ClauseDecision, RouteScore

_SHOWN = 60
# How the router begins the part of its reason that says why a clause can't be answered.
_BELOW = "evidence is below"
_THRESHOLDS = ("tau_high", "tau_low", "delta_margin")


def change(before: ItemResult, now: ItemResult, measures: Collection[str] = ()) -> str:
    """The first stage after which the two runs went different ways, with its numbers.

    measures: the ones that changed; a false cache hit alone is the cache's doing. Routing counts only where its outcome
    differs (clauses, routes, strategy, whether answerable): scores that moved and decided the same changed nothing.
    """
    if measures and set(measures) <= {"false_hit_rate"}:
        return _cache_change(before, now)
    return (
        _routing_change(_clauses(before), _clauses(now))
        or _statement_change(before, now)
        or _retrieval_change(before.hits, now.hits, _strategy(now))
        or _answer_change(before, now)
        or "retrieval: the passages after the answer's sources changed"
    )


def _clauses(item: ItemResult) -> tuple[ClauseDecision, ...]:
    return item.decision.clauses if item.decision is not None else ()


def _strategy(item: ItemResult) -> str:
    return "+".join(dict.fromkeys(clause.strategy for clause in _clauses(item)))


# ---------------------------------------------------------------- routing
def _routing_change(before: Sequence[ClauseDecision], now: Sequence[ClauseDecision]) -> str:
    if [clause.text for clause in before] != [clause.text for clause in now]:
        if len(before) != len(now):
            return f"clauses: split into {len(before)} → {len(now)}"
        old, new = next((a.text, b.text) for a, b in zip(before, now, strict=True) if a.text != b.text)
        return f"clauses: “{clip(old, _SHOWN)}” → “{clip(new, _SHOWN)}”"
    for number, (a, b) in enumerate(zip(before, now, strict=True), 1):
        outcome = _outcome(a, b)
        if outcome:
            label = f"clause {number}, " if len(now) > 1 else ""
            return label + "; ".join(part for part in (_reason(a, b), *outcome) if part)
    return ""


def _outcome(a: ClauseDecision, b: ClauseDecision) -> list[str]:
    """What came out differently, in words; [] when nothing did. Another route has a strategy and a neighbour of its
    own, so those count only where the route stayed."""
    found = []
    if a.route != b.route:
        found.append(f"route {a.route} → {b.route}")
    if a.answerable != b.answerable:
        found.append("now answerable" if b.answerable else "no longer answerable")
    if a.strategy != b.strategy and a.route == b.route:
        found.append(f"strategy {a.strategy} → {b.strategy}")
    if a.also != b.also and not found:
        found.append(f"second route {', '.join(a.also) or 'none'} → {', '.join(b.also) or 'none'}")
    return found


def _reason(a: ClauseDecision, b: ClauseDecision) -> str:
    """The number that moved most, with its stage; "" when none did."""
    if (a.stage == 1) != (b.stage == 1):
        return f"stage 1: {clip(a.reason, _SHOWN)} → {clip(b.reason, _SHOWN)}"
    old, new = ({score.route: score for score in clause.scores} for clause in (a, b))
    shared = sorted(old.keys() & new.keys())
    if old.keys() != new.keys():
        return f"routes: {', '.join(sorted(old))} → {', '.join(sorted(new))}"
    moved = [
        *((abs(new[r].score - old[r].score), f"stage 2: cosine of {r}", old[r].score, new[r].score) for r in shared),
        *((abs(_held(new[r]) - _held(old[r])), f"stage 3: {_named(old[r], new[r])}", _held(old[r]), _held(new[r]))
          for r in shared),
    ]  # fmt: skip
    most = max(moved, key=lambda item: (round(item[0], 6), item[1]), default=None)
    if most is not None and most[0] >= 1e-6:
        return f"{most[1]} {number_change(most[2], most[3])}"
    for name in _THRESHOLDS:
        if getattr(a, name) != getattr(b, name):
            return f"stage 2: {name} {number_change(getattr(a, name), getattr(b, name))}"
    weighted = [(old[r].final_score, new[r].final_score, r) for r in shared if old[r].final_score != new[r].final_score]
    if weighted:
        was, is_, route = max(weighted, key=lambda item: (abs(item[1] - item[0]), item[2]))
        return f"stage 3: final score of {route} {number_change(was, is_)}"
    below = next((part for clause in (b, a) for part in clause.reason.split("; ") if part.startswith(_BELOW)), "")
    return f"stage 3: {below}" if below and a.answerable != b.answerable else ""


def _held(score: RouteScore) -> float:
    return score.evidence.score if score.evidence is not None else 0.0


def _named(before: RouteScore, now: RouteScore) -> str:
    item = now.evidence or before.evidence
    name = f" ({item.kind} {clip(item.name, 24)!r})" if item is not None else ""
    return f"evidence of {now.route}{name}"


# ---------------------------------------------------------------- after routing
def _statement_change(before: ItemResult, now: ItemResult) -> str:
    if before.sql == now.sql:
        return ""
    old, new = (clip(item.sql, 2 * _SHOWN) if item.sql else "none" for item in (before, now))
    return f"SQL: {old} → {new}"


def _retrieval_change(before: Sequence[str], now: Sequence[str], strategy: str) -> str:
    if tuple(before) == tuple(now):
        return ""
    head = f"retrieval ({strategy}):"
    if not now:
        return f"{head} nothing found any more"
    lost, new = len(set(before) - set(now)), len(set(now) - set(before))
    pairs = zip(before, now, strict=False)
    rank = next((i for i, (a, b) in enumerate(pairs, 1) if a != b), min(len(before), len(now)) + 1)
    if not lost and not new:
        return f"{head} same sources, other order from rank {rank}"
    return f"{head} sources differ from rank {rank}, {lost} gone, {new} new"


def _answer_change(before: ItemResult, now: ItemResult) -> str:
    if before.answer != now.answer:
        old, new = (f"“{clip(i.answer, _SHOWN)}”" if i.answer is not None else "none" for i in (before, now))
        return f"answer: {old} → {new}"
    return _cache_change(before, now) if before.false_hit != now.false_hit else ""


def _cache_change(before: ItemResult, now: ItemResult) -> str:
    if now.false_hit:
        return f"cache: would serve the answer to “{clip(now.false_hit, _SHOWN)}”"
    return f"cache: no longer serves the answer to “{clip(before.false_hit, _SHOWN)}”"
