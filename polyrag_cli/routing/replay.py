"""Owns a decision's way back from JSON, and the words for how two decisions differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from polyrag_cli.errors import StoreError
from polyrag_cli.routing.ruling import final_margin
from polyrag_cli.types import ClauseDecision, Evidence, RouteDecision, RouteScore, ScoreTerm
from polyrag_cli.types.decoding import decoded

_COMPARED = (
    ("strategy", "strategy"),
    ("stage", "deciding stage"),
    ("also", "second route"),
    ("margin", "margin"),
    ("final_margin", "final margin"),
    ("tau_high", "tau_high"),
    ("tau_low", "tau_low"),
    ("delta_margin", "delta_margin"),
    ("answerable", "answerable"),
    ("normalized", "normalized text"),
    ("start", "start"),
    ("end", "end"),
)


def decision_from_json(payload: Mapping[str, Any]) -> RouteDecision:
    """The decision behind `types.as_json` of one; floats survive the round trip through `json` unchanged.

    Raises StoreError when the payload isn't a decision.
    """
    try:
        decision = decoded(RouteDecision, payload)
    except ValueError as error:
        raise StoreError(f"The stored decision can't be read ({error}).", "Ask again to store a new one.") from error
    return replace(decision, clauses=tuple(_signed(clause) for clause in decision.clauses))


def _signed(clause: ClauseDecision) -> ClauseDecision:
    """The clause with a sign to its final margin, which had none before terms were stored."""
    return replace(clause, final_margin=final_margin(clause)) if _is_unsplit(clause) else clause


def differences(stored: RouteDecision, now: RouteDecision) -> tuple[str, ...]:
    """What is decided otherwise today than in a stored decision, in words; () when all of it is the same.

    Times are left out, and so is under which configuration and corpus it was decided: see `stamps`.
    """
    found: list[str] = []
    if stored.question != now.question:
        found.append(f"question: {stored.question!r} → {now.question!r}")
    if len(stored.clauses) != len(now.clauses):
        found.append(f"clauses: {len(stored.clauses)} → {len(now.clauses)}")
    for number, (before, after) in enumerate(zip(stored.clauses, now.clauses, strict=False), start=1):
        label = f"clause {number}: " if max(len(stored.clauses), len(now.clauses)) > 1 else ""
        found.extend(label + text for text in _clause_differences(before, after))
    return tuple(found)


def stamps(stored: RouteDecision, now: RouteDecision) -> tuple[str, ...]:
    """Under which other configuration and corpus generation today's decision is made, in words.

    Neither is a difference: a file that is read again to the same content is a generation of its own.
    """
    found: list[str] = []
    if stored.config_hash != now.config_hash:
        found.append(f"configuration, anchors or embedder {stored.config_hash[:12]} → {now.config_hash[:12]}")
    if stored.generation != now.generation:
        found.append(f"corpus generation {stored.generation} → {now.generation}")
    return tuple(found)


def _clause_differences(before: ClauseDecision, after: ClauseDecision) -> list[str]:
    found: list[str] = []
    if before.text != after.text:
        found.append(f"text: {before.text!r} → {after.text!r}")
    if before.route != after.route:
        found.append(f"route: {before.route} → {after.route}")
    old = {score.route: score for score in before.scores}
    new = {score.route: score for score in after.scores}
    for route in sorted(old.keys() | new.keys()):
        found.extend(_score_differences(route, old.get(route), new.get(route)))
    for name, label in _COMPARED:
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            found.append(f"{label}: {_shown(was)} → {_shown(now)}")
    # What was stored before terms were gave its reasons in other words.
    if before.reason != after.reason and not (_is_unsplit(before) or _is_unsplit(after)):
        found.append(f"reason: {before.reason} → {after.reason}")
    if not found and list(old) != list(new):
        found.append("order of the routes changed")
    return found


def _is_unsplit(clause: ClauseDecision) -> bool:
    """Whether a clause was stored before terms were."""
    return bool(clause.scores) and not any(score.terms for score in clause.scores)


def _score_differences(route: str, before: RouteScore | None, after: RouteScore | None) -> list[str]:
    if before is None or after is None:
        return [f"route {route} is {'gone' if after is None else 'new'}"]
    found: list[str] = []
    if before.score != after.score:
        found.append(f"cosine of {route}: {before.score:.6f} → {after.score:.6f}")
    if before.final_score != after.final_score:
        found.append(f"final score of {route}: {before.final_score:.6f} → {after.final_score:.6f}")
    if before.anchor != after.anchor:
        found.append(f"nearest anchor of {route}: {before.anchor!r} → {after.anchor!r}")
    was, is_now = _evidence_shown(before.evidence), _evidence_shown(after.evidence)
    if was != is_now:
        found.append(f"evidence of {route}: {was} → {is_now}")
    for of, old, new in (("", before, after), ("evidence of ", before.evidence, after.evidence)):
        if old is not None and new is not None and old.terms and new.terms and old.terms != new.terms:
            found.append(f"terms of {of}{route}: {_terms_shown(old.terms)} → {_terms_shown(new.terms)}")
    return found


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value) or "none"
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def _terms_shown(terms: tuple[ScoreTerm, ...]) -> str:
    return ", ".join(f"{term.name} {term.value:.6f}" for term in terms)


def _evidence_shown(item: Evidence | None) -> str:
    return "none" if item is None else f"{item.kind} {item.name!r} {item.score:.6f}"
