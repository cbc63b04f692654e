from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from polyrag_cli.tui.widgets.decision_panel import MAX_ROUTES, clause_lines, decision_lines, margin_track, source_notes
from polyrag_cli.types import RouteScore, ScoreTerm
from tests.tui.turns import CLAUSE, GRAPH, RELATIONAL, decision


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
    lines = plain(clause_lines(CLAUSE, 70))
    assert lines[:6] == [
        "▸ graph      ▓▓▓▓▓▓██████████ 1.52 entity Câmara Lince",
        "    cosine 0.58 + evidence 0.94 = 1.52",
        "  relational ▓▓▓▓▓▊           0.55 –",
        "    cosine 0.55 + evidence 0.00 = 0.55",
        "  vectorial  ▓▓▓██▋           0.53 heading A fazenda",
        "    cosine 0.31 + evidence 0.22 = 0.53",
    ]
    assert lines[6] == "  ▓ cosine  █ evidence   to flip: relational lacks 0.97"
    assert lines[7] == "margin ├──────●────────┼───────────────┤ 0.03 < delta 0.08: gray"
    assert lines[8].startswith("tau_low 0.35 ─┼") and lines[8].endswith("┼● tau_high 0.45")
    assert lines[9] == "stage 3 · store evidence  →  graph"
    assert lines[10] == "strategy graph_walk (the route's own)"
    assert lines[11] == "reason: margin 0.03: gray; the stores confirm graph"
    assert len(lines) == 12


def test_what_the_numbers_come_from_is_noted() -> None:
    assert plain(source_notes(decision(), 70)) == [
        "where the numbers come from",
        "graph: winning anchor “which rule depends on another?”",
        "relational: winning anchor “how many units were sold?”",
        "vectorial: winning anchor “how did it begin?”",
    ]
    two = plain(source_notes(decision(CLAUSE, CLAUSE), 70))
    assert two[-1] == "clause 2, vectorial: winning anchor “how did it begin?”"
    narrow = plain(source_notes(decision(), 40))
    assert narrow[-2:] == ["vectorial: winning anchor “how did it", "  begin?”"]
    assert source_notes(decision(replace(CLAUSE, scores=())), 70) == []


def test_what_would_flip_it_has_its_own_line_where_there_is_no_room() -> None:
    lines = plain(clause_lines(CLAUSE, 44))
    assert lines[6:8] == ["  ▓ cosine  █ evidence", "  to flip: relational lacks 0.97"]


def test_bonus_and_gate_stand_in_the_sum_and_in_the_legend() -> None:
    terms = tuple(
        ScoreTerm(name, value)
        for name, value in (("cosine", 0.29), ("aggregate_bonus", 0.1), ("gate", -0.23), ("evidence", 0.19))
    )
    gated = replace(RELATIONAL, score=0.29, final_score=0.35, terms=terms)
    gate = replace(CLAUSE, scores=(GRAPH, gated))
    lines, notes = plain(clause_lines(gate, 100)), plain(source_notes(decision(gate), 100))
    assert lines[3] == "    cosine 0.29 + bonus 0.10 - gate 0.23 + evidence 0.19 = 0.35"
    assert lines[4].startswith("  ▓ cosine, bonus, gate  █ evidence")
    assert "relational: gate: the anchors of relational count × 0.41, since passages hold more than tables" in notes


@pytest.mark.parametrize("width", [24, 36, 44, 80, 140])
def test_bars_and_tracks_fit_into_the_width(width: int) -> None:
    lines = plain(clause_lines(CLAUSE, width))
    for line in lines[:6:2]:
        assert len(line) <= max(width, 32)
    for line in lines:
        if line.startswith(("margin", "tau_low")) and width >= 44:
            assert len(line) <= width


def test_a_route_that_lost_in_stage_two_is_marked_where_evidence_chose_it() -> None:
    lines = plain(clause_lines(replace(CLAUSE, route="vectorial"), 60))
    assert [line[0] for line in lines[:6:2]] == [" ", " ", "▸"]


def test_without_an_embedder_there_are_no_tracks() -> None:
    silent = tuple(replace(score, anchor="", score=0.0) for score in CLAUSE.scores)
    text = "\n".join(plain(clause_lines(replace(CLAUSE, scores=silent), 60)))
    assert "no embedder" in text
    assert "●" not in text


def test_many_routes_are_counted() -> None:
    many = tuple(RouteScore(f"route{n:03}", 0.5, 0.5, "anchor") for n in range(150))
    lines = plain(clause_lines(replace(CLAUSE, scores=many, route="route000"), 60))
    assert lines[2 * MAX_ROUTES] == f"  … {150 - MAX_ROUTES} more routes"


def test_each_clause_has_its_own_decision() -> None:
    second = replace(CLAUSE, text="and how many?", route="relational")
    text = "\n".join(plain(decision_lines(decision(CLAUSE, second), 60)))
    assert "clause 1: Which inspection do lots need?" in text
    assert "clause 2: and how many?" in text
    assert text.count("tau_low") == 2
