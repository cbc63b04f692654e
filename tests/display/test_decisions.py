"""The margin on its way between the thresholds, and the stage that decided."""

from __future__ import annotations

import pytest

from polyrag_cli.display.decisions import decision_line, margin_comparison, reasons, stage_line, threshold_track
from polyrag_cli.types import ClauseDecision, Evidence, RouteScore


def clause(best: float, margin: float = 0.03, stage: int = 3, answerable: bool = True) -> ClauseDecision:
    scores = (
        RouteScore("graph", best, 1.4, "which device depends on …", Evidence("entity", "Foz", 0.94)),
        RouteScore("relational", best - margin, 0.5, "how many units …", None),
    )
    return ClauseDecision(
        *("Which?", "which", "graph", ("relational",), stage, scores, margin, 0.9, 0.45, 0.35, 0.08, "graph_walk"),
        reason="the stores confirm graph; graph_walk: configured for graph",
        answerable=answerable,
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


def test_stage_three_lists_what_each_store_holds() -> None:
    assert stage_line(clause(0.4)) == (
        "stage 3 · store evidence: graph 0.94, relational 0  →  graph, also searched: relational"
    )
    assert stage_line(clause(0.4, stage=2, answerable=False)).endswith("nothing found")


def test_reasons_come_apart() -> None:
    assert reasons(clause(0.4)) == ("the stores confirm graph", "configured for graph")


def test_one_line_says_what_decided() -> None:
    assert decision_line(clause(0.4)) == "graph 0.40 · margin 0.03 (gray) → evidence: entity “Foz” · stage 3"


def test_a_cosine_below_tau_low_is_not_gray() -> None:
    assert decision_line(clause(0.2)) == "graph 0.20 · margin 0.03 (below tau_low) → evidence: entity “Foz” · stage 3"
    assert margin_comparison(clause(0.2)).endswith(": below tau_low")
