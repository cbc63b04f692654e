from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from polyrag_cli.tui.widgets.decision_panel import MAX_ROUTES, clause_lines, decision_lines, margin_track
from polyrag_cli.types import RouteScore
from tests.tui.turns import CLAUSE, decision


def plain(lines: Sequence[object]) -> list[str]:
    return [str(line) for line in lines]


@pytest.mark.parametrize(
    ("margin", "expected"),
    [
        (0.0, "├●───┼────┤"),
        (0.04, "├──●─┼────┤"),
        (0.0799, "├───●┼────┤"),
        (0.08, "├────●────┤"),
        (0.12, "├────┼─●──┤"),
        (0.5, "├────┼───●┤"),
        (-0.3, "├●───┼────┤"),
    ],
)
def test_the_margin_stands_before_or_behind_delta_in_the_middle(margin: float, expected: str) -> None:
    assert margin_track(margin, 0.08, 9) == expected


def test_a_delta_of_zero_has_every_margin_behind_it() -> None:
    assert margin_track(0.0, 0.0, 5) == "├──●──┤"


def test_a_clause_shows_its_whole_arithmetic() -> None:
    lines = plain(clause_lines(CLAUSE, 60))
    assert lines[0] == "▸ graph      ▓▓▓▓▓▓██████████ 1.52 entity Câmara Lince"
    assert lines[1] == "  relational ▓▓▓▓▓▊           0.55 –"
    assert lines[3] == "margin ├─────●───────┼─────────────┤ 0.03 < delta 0.08: gray"
    assert lines[4].startswith("tau_low 0.35 ─┼") and lines[4].endswith("┼● tau_high 0.45")
    assert lines[5] == "stage 3 · store evidence  →  graph"
    assert lines[6] == "to flip: relational lacks 0.97"
    assert lines[7] == "  graph      cosine 0.58 + evidence 0.94 = 1.52"
    assert lines[8] == "  relational cosine 0.55 + evidence 0.00 = 0.55"
    assert lines[10] == "strategy graph_walk (the route's own)"
    assert lines[11] == "reason: margin 0.03: gray; the stores confirm graph"


@pytest.mark.parametrize("width", [24, 36, 44, 80, 140])
def test_bars_and_tracks_fit_into_the_width(width: int) -> None:
    for line in plain(clause_lines(CLAUSE, max(width, 44)))[:3]:
        assert len(line) <= max(width, 44)
    for line in plain(clause_lines(CLAUSE, width))[:3]:
        assert len(line) <= max(width, 32)


def test_a_route_that_lost_in_stage_two_is_marked_where_evidence_chose_it() -> None:
    lines = plain(clause_lines(replace(CLAUSE, route="vectorial"), 60))
    assert [line[0] for line in lines[:3]] == [" ", " ", "▸"]


def test_without_an_embedder_there_are_no_tracks() -> None:
    silent = tuple(replace(score, anchor="", score=0.0) for score in CLAUSE.scores)
    text = "\n".join(plain(clause_lines(replace(CLAUSE, scores=silent), 60)))
    assert "no embedder" in text
    assert "●" not in text


def test_many_routes_are_counted() -> None:
    many = tuple(RouteScore(f"route{n:03}", 0.5, 0.5, "anchor") for n in range(150))
    lines = plain(clause_lines(replace(CLAUSE, scores=many, route="route000"), 60))
    assert lines[MAX_ROUTES] == f"  … {150 - MAX_ROUTES} more routes"


def test_each_clause_has_its_own_decision() -> None:
    second = replace(CLAUSE, text="and how many?", route="relational")
    text = "\n".join(plain(decision_lines(decision(CLAUSE, second), 60)))
    assert "clause 1: Which inspection do lots need?" in text
    assert "clause 2: and how many?" in text
    assert text.count("tau_low") == 2
