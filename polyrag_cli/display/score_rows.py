"""Owns how a clause's scores are shown: terms that add up to the final score, to the last digit on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from polyrag_cli.types import ClauseDecision, Evidence, RouteScore, ScoreTerm

_FEWEST, _MOST = 2, 6
# Less than any two decimals that are kept lie apart.
_NO_DIFFERENCE = 1e-9


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One route's arithmetic as texts: adding the numbers of `terms` in order gives `final`, digit for digit.

    terms: (name, number), the names in the order added. parts: what the evidence term is made of, likewise.
    evidence: kind and name of what the store holds, "" for nothing; anchor: the nearest one, "" without an embedder.
    leaning, whole: where the bar of cosine, bonus and gate ends, and where the whole bar does, in [0, 1].
    factor: what the gate multiplies the anchors with; 1.0 without one.
    """

    route: str
    taken: bool
    terms: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, str], ...]
    final: str
    evidence: str
    anchor: str
    leaning: float
    whole: float
    factor: float


def score_rows(clause: ClauseDecision, most: int | None = None) -> tuple[ScoreRow, ...]:
    """The rows of a clause's routes, ordered by what decided: the cosine in stage 2, else the final score.

    most: rows at most; the route taken is always among them.
    """
    ordered = list(clause.scores)
    if clause.stage == 2:
        ordered.sort(key=lambda score: (score.route != clause.route, -score.score, score.route))
    shown = ordered[:most]
    own = next((score for score in ordered if score.route == clause.route), None)
    if own is not None and own not in shown:
        shown[-1] = own
    digits = places(clause)
    longest = max([1.0, *(score.final_score for score in clause.scores)])
    return tuple(_row(score, clause, digits, longest) for score in shown)


def places(clause: ClauseDecision) -> int:
    """The decimals of a clause's numbers: from two on, as many as make every comparison that decided come out on the
    screen as it did in the decision."""
    checks: list[tuple[list[float], float]] = []
    cosines = sorted((score.score for score in clause.scores), reverse=True)[:2]
    if any(score.anchor for score in clause.scores):
        checks += [(cosines[:1], clause.tau_high), (cosines[:1], clause.tau_low), (cosines, clause.delta_margin)]
    own = next((score.final_score for score in clause.scores if score.route == clause.route), None)
    others = [score.final_score for score in clause.scores if score.route != clause.route]
    if own is not None and others:
        checks += [([own, max(others)], 0.0), ([own, max(others)], clause.boundary_margin)]

    for digits in range(_FEWEST, _MOST):
        if all(_side(values, bound, digits) == _side(values, bound, _MOST) for values, bound in checks):
            return digits
    return _MOST


def shown_margin(clause: ClauseDecision, digits: int) -> str:
    """Stage 2's margin, as the distance between the two best cosines as they are shown."""
    best = sorted((score.score for score in clause.scores), reverse=True)[:2]
    return number(_less(best, digits) if len(best) > 1 else clause.margin, digits)


def shown_final_margin(clause: ClauseDecision, digits: int) -> str:
    """The final margin, as the distance between the final scores as they are shown; "" where there are none."""
    finals = {score.route: score.final_score for score in clause.scores}
    own = finals.pop(clause.route, None)
    return "" if own is None else number(_less([own, max(finals.values(), default=0.0)], digits), digits)


def lacks(clause: ClauseDecision, score: RouteScore, digits: int = _MOST) -> float | None:
    """What a route would have needed more to be taken, reckoned with numbers of so many decimals.

    None for the route taken, and where scores didn't decide. Where stage 2 decided, the route would also have had to
    come near enough in cosine for the stores to be asked.
    """
    own = next((other for other in clause.scores if other.route == clause.route), None)
    if clause.stage < 2 or own is None or score.route == clause.route:
        return None
    behind = _less([own.final_score, score.final_score], digits)
    if clause.stage == 3:
        return behind if behind >= 0 else None
    best = max(other.score for other in clause.scores)
    gap = _less([own.score, score.score], digits) - clause.delta_margin
    short = clause.tau_low - round(score.score, digits) if best < clause.tau_low else gap
    return round(max(0.0, behind, short), digits)


def bars(row: ScoreRow, width: int) -> tuple[str, str]:
    """A row's bar in two pieces, together as long as its final score: cosine with bonus and gate, then evidence.

    width: cells of the longest bar.
    """
    eighths = round(row.whole * width * 8)
    cells = min(eighths // 8, round(row.leaning * width))
    rest = eighths - 8 * cells
    return "▓" * cells, "█" * (rest // 8) + (" ▏▎▍▌▋▊▉"[rest % 8].strip())


def number(value: float, digits: int) -> str:
    """A number with so many decimals; no minus before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def threshold(value: float) -> str:
    """A configured number as it is, with two decimals at least."""
    whole, _, decimals = f"{value:.{_MOST}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0'):0<2}"


def _row(score: RouteScore, clause: ClauseDecision, digits: int, longest: float) -> ScoreRow:
    terms = score.terms or _unsplit(score)
    leaning = sum(term.value for term in terms if term.name != "evidence")
    whole = min(1.0, max(0.0, score.final_score / longest))
    held = score.evidence is not None and score.evidence.score > 0
    return ScoreRow(
        route=score.route,
        taken=score.route == clause.route,
        terms=_shown(terms, digits),
        parts=_shown(_parts(score.evidence, terms), digits, leaning) if held else (),
        final=number(score.final_score, digits),
        evidence=f"{score.evidence.kind} {score.evidence.name}" if held and score.evidence is not None else "",
        anchor=score.anchor,
        leaning=min(whole, max(0.0, leaning / longest)),
        whole=whole,
        factor=_factor(terms),
    )


def _unsplit(score: RouteScore) -> tuple[ScoreTerm, ...]:
    """The terms of a score that was stored before terms were: all but the cosine in one."""
    return (
        ScoreTerm("cosine", score.score),
        ScoreTerm("stores", round(score.final_score - score.score, _MOST)),
    )


def _parts(evidence: Evidence | None, terms: Sequence[ScoreTerm]) -> tuple[ScoreTerm, ...]:
    """What the evidence term is made of; a store's weight is the difference that it makes."""
    if evidence is None or not evidence.terms:
        return ()
    added = next((term.value for term in terms if term.name == "evidence"), evidence.score)
    weighed = round(added - evidence.score, _MOST)
    return (*evidence.terms, ScoreTerm("weight", weighed)) if weighed else evidence.terms


def _factor(terms: Sequence[ScoreTerm]) -> float:
    anchors = sum(term.value for term in terms if term.name in ("cosine", "aggregate_bonus"))
    gate = sum(term.value for term in terms if term.name == "gate")
    return 1.0 + gate / anchors if gate and anchors else 1.0


def _shown(terms: Sequence[ScoreTerm], digits: int, start: float = 0.0) -> tuple[tuple[str, str], ...]:
    """Terms as texts that add up to their rounded sum; start: what was added before them."""
    totals = [round(total, _MOST) for total in accumulate((term.value for term in terms), initial=start)]
    ends = [round(total, digits) for total in totals]
    steps = [after - before for before, after in pairwise(ends)]
    return tuple((term.name, number(step, digits)) for term, step in zip(terms, steps, strict=True))


def _less(values: Sequence[float], digits: int) -> float:
    """The first value less the others, each rounded as it is shown."""
    first, *others = (round(value, digits) for value in values)
    return round(first - sum(others), digits)


def _side(values: Sequence[float], bound: float, digits: int) -> int:
    """Whether the first value less the others lies above a bound (1), on it (0) or below it (-1), as it is shown."""
    distance = round(values[0], digits) - bound
    for other in values[1:]:
        distance -= round(other, digits)
    return 0 if abs(distance) < _NO_DIFFERENCE else 1 if distance > 0 else -1
