"""A decision in words: its one line, its thresholds, what would have flipped it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.display.decisions import (
    decision_line,
    decision_lines,
    flip_line,
    gate_line,
    margin_comparison,
    parts_line,
    reasons,
    stage_line,
    sum_line,
    threshold_track,
)
from polyrag_cli.display.score_rows import score_rows
from polyrag_cli.types import ClauseDecision, Evidence, RouteDecision, RouteScore, ScoreTerm


def terms(**values: float) -> tuple[ScoreTerm, ...]:
    return tuple(ScoreTerm(name, value) for name, value in values.items())


def clause(best: float, margin: float = 0.03, stage: int = 3, answerable: bool = True) -> ClauseDecision:
    foz = Evidence("entity", "Foz", 0.94, terms(coverage=0.5, bm25=0.3, entity=0.14))
    other = round(best - margin, 6)
    final = round(best + 0.94, 6)
    scores = (
        RouteScore("graph", best, final, "which device depends on …", foz, terms(cosine=best, evidence=0.94)),
        RouteScore("relational", other, other, "how many units …", None, terms(cosine=other, evidence=0.0)),
    )
    return ClauseDecision(
        *("Which?", "which", "graph", ("relational",), stage, scores, margin, 0.94 + margin),
        *(0.45, 0.35, 0.08, "graph_walk"),
        reason="the stores confirm graph; graph_walk: configured for graph",
        answerable=answerable,
        evidence_min=0.23,
    )


@pytest.mark.parametrize(
    ("best", "track"),
    [(0.35, "─┼●────┼─"), (0.45, "─┼────●┼─"), (0.40, "─┼──●──┼─"), (0.20, "●┼─────┼─"), (0.90, "─┼─────┼●")],
)
def test_the_point_lies_where_the_cosine_does(best: float, track: str) -> None:
    assert threshold_track(clause(best), 5) == track


def test_the_margin_is_told_from_delta_however_close_they_are() -> None:
    assert margin_comparison(clause(0.4)) == "0.03 < delta 0.08: gray"
    assert margin_comparison(clause(0.4, 0.0801, stage=2)) == "0.0801 ≥ delta 0.08"


def test_the_stage_line_tells_the_second_route_and_that_nothing_was_found() -> None:
    assert stage_line(clause(0.4)) == "stage 3 · store evidence  →  graph, also searched: relational"
    assert stage_line(clause(0.4, stage=2, answerable=False)).endswith("nothing found: evidence below 0.23")


def test_reasons_come_apart() -> None:
    assert reasons(clause(0.4)) == ("the stores confirm graph", "configured for graph")


def test_one_line_says_what_decided() -> None:
    assert decision_line(clause(0.4)) == "graph 1.34 · final margin 0.97 → evidence: entity “Foz” · stage 3 (gray)"
    assert decision_line(clause(0.6, 0.2, stage=2)) == "graph 1.54 · final margin 1.14 · stage 2"
    nothing = decision_line(clause(0.4, answerable=False))
    assert nothing == "graph 1.34 · final margin 0.97 · nothing found: evidence below 0.23 · stage 3 (gray)"


def test_a_cosine_below_tau_low_is_not_gray() -> None:
    assert decision_line(clause(0.2)).endswith("stage 3 (below tau_low)")
    assert margin_comparison(clause(0.2)).endswith(": below tau_low")


def test_a_forced_route_has_the_margin_that_it_lost_by() -> None:
    forced = replace(clause(0.4, stage=0), route="relational", reason="route relational forced")
    assert decision_line(forced) == "relational 0.37 · final margin -0.97 · route relational forced"
    assert flip_line(forced) == ""


def test_what_form_decides_has_no_numbers() -> None:
    greeting = replace(clause(0.4, stage=1), route="direct", scores=(), reason="a greeting needs no store")
    assert decision_line(greeting) == "direct · stage 1: a greeting needs no store"
    assert flip_line(greeting) == ""


def test_each_clause_has_a_line() -> None:
    one = RouteDecision("Which?", (clause(0.4),), "f", 1)
    assert decision_lines(one) == [decision_line(clause(0.4))]
    two = replace(one, clauses=(clause(0.4), clause(0.2)))
    assert decision_lines(two) == [f"(1) {decision_line(clause(0.4))}", f"(2) {decision_line(clause(0.2))}"]


def test_what_would_have_flipped_it_is_said() -> None:
    assert flip_line(clause(0.4)) == "relational lacks 0.97"
    alone = clause(0.4)
    assert flip_line(replace(alone, scores=alone.scores[:1])) == ""


def test_a_sum_is_written_out_with_its_signs() -> None:
    hours = Evidence("column", "hours", 0.19, terms(coverage=0.38, lone_value=-0.19))
    sums = terms(cosine=0.29, aggregate_bonus=0.1, gate=-0.23, evidence=0.19)
    gated = RouteScore("relational", 0.29, 0.35, "how many …", hours, sums)
    row = score_rows(replace(clause(0.4), scores=(clause(0.4).scores[0], gated)))[1]
    assert sum_line(row) == "cosine 0.29 + bonus 0.10 - gate 0.23 + evidence 0.19 = 0.35"
    assert parts_line(row) == "column hours: coverage 0.38 - lone_value 0.19 = evidence 0.19"
    # .39 of cosine and bonus, of which .16 are left.
    assert gate_line(row) == "gate: the anchors of relational count × 0.41, since passages hold more than tables"
    assert gate_line(score_rows(clause(0.4))[0]) == ""
    assert parts_line(score_rows(clause(0.4))[1]) == ""
