"""Numbers on the screen that add up and compare as the decision did."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal

import pytest

from polyrag_cli.display.score_rows import bars, lacks, number, places, score_rows, shown_final_margin, threshold
from polyrag_cli.types import ClauseDecision, Evidence, RouteScore, ScoreTerm


def score(route: str, evidence: float, weight: float = 1.0, **values: float) -> RouteScore:
    cosine = values.get("cosine", 0.0)
    terms = tuple(ScoreTerm(name, value) for name, value in values.items())
    terms += (ScoreTerm("evidence", round(weight * evidence, 6)),)
    final = round(sum(term.value for term in terms), 6)
    half = round(evidence / 3, 6)
    parts = (ScoreTerm("coverage", half), ScoreTerm("bm25", round(evidence - half, 6)))
    held = Evidence("text", f"{route}.md", evidence, parts) if evidence else None
    return RouteScore(route, cosine, final, f"anchor of {route}", held, terms)


def clause(*scores: RouteScore, route: str = "", stage: int = 3, **changes: float) -> ClauseDecision:
    ordered = tuple(sorted(scores, key=lambda one: -one.final_score))
    cosines = sorted((one.score for one in scores), reverse=True)
    plain = ClauseDecision(
        text="Who?", normalized="who", route=route or ordered[0].route, also=(), stage=stage, scores=ordered,
        margin=round(cosines[0] - cosines[1], 6) if len(cosines) > 1 else 0.0, final_margin=0.0,
        tau_high=0.5, tau_low=0.2, delta_margin=0.25, strategy="hybrid", reason="",
    )  # fmt: skip
    return replace(plain, **changes)  # type: ignore[arg-type]


def added(numbers: tuple[tuple[str, str], ...]) -> Decimal:
    return sum((Decimal(text) for _, text in numbers), Decimal(0))


def test_terms_add_up_on_the_screen() -> None:
    # .314 + .954 = 1.268: rounded each by itself, .31 + .95 would not be 1.27.
    graph, other = score("graph", 0.954, cosine=0.314), score("relational", 0.188, cosine=0.29, gate=-0.1334)
    first, second = score_rows(clause(graph, other))
    assert (first.terms, first.final) == ((("cosine", "0.31"), ("evidence", "0.96")), "1.27")
    assert second.terms == (("cosine", "0.29"), ("gate", "-0.13"), ("evidence", "0.18"))
    assert second.final == "0.34"


def test_every_sum_adds_up_whatever_the_numbers() -> None:
    draw = random.Random(11)
    for _ in range(500):
        scores = [
            score(
                name, round(draw.random(), 6), draw.choice([1.0, 0.73, 1.37]),
                cosine=round(draw.uniform(-0.2, 1.0), 6), gate=round(-0.3 * draw.random(), 6),
            )
            for name in ("a", "b", "c")
        ]  # fmt: skip
        for row in score_rows(clause(*scores)):
            assert added(row.terms) == Decimal(row.final)
            assert added(row.parts) == Decimal(dict(row.terms)["evidence"])


def test_a_stores_weight_is_a_part_of_its_evidence() -> None:
    (row,) = score_rows(clause(score("graph", 0.6, weight=0.5, cosine=0.3)))
    assert dict(row.terms)["evidence"] == "0.30"
    assert row.parts == (("coverage", "0.20"), ("bm25", "0.40"), ("weight", "-0.30"))


def test_a_route_without_evidence_has_its_line() -> None:
    rows = score_rows(clause(score("graph", 0.6, cosine=0.3), score("relational", 0.0, cosine=0.29)))
    assert [(row.route, row.evidence, dict(row.terms)["evidence"]) for row in rows] == [
        ("graph", "text graph.md", "0.60"),
        ("relational", "", "0.00"),
    ]


@pytest.mark.parametrize(
    ("top", "second", "finals", "boundary", "expected"),
    [
        (0.41, 0.29, (1.0, 0.5), 0.0, 2),
        (0.4096, 0.1619, (1.0, 0.5), 0.0, 3),  # a margin of .2477 would be .25, which is delta
        (0.4987, 0.29, (1.0, 0.5), 0.0, 3),  # .50 would reach tau_high
        (0.1987, 0.15, (1.0, 0.5), 0.0, 3),  # .20 would not be below tau_low
        (0.41, 0.29, (1.0, 0.9998), 0.0, 4),  # the finals would be equal
        (0.41, 0.29, (1.0, 0.9505), 0.05, 3),  # .05 would not be below boundary_margin
        (0.41, 0.29, (1.0, 1.0), 0.0, 2),
    ],
)
def test_decimals_suffice_to_see_what_decided(
    top: float, second: float, finals: tuple[float, float], boundary: float, expected: int
) -> None:
    scores = [
        replace(score(name, 0.1, cosine=cosine), final_score=final)
        for name, cosine, final in zip(("a", "b"), (top, second), finals, strict=True)
    ]
    assert places(clause(*scores, boundary_margin=boundary)) == expected


def test_rows_are_ordered_by_what_decided() -> None:
    sure = score("touring", 0.1, cosine=0.7)
    strong = score("graph", 0.9, cosine=0.3)
    assert [row.route for row in score_rows(clause(sure, strong))] == ["graph", "touring"]
    by_cosine = score_rows(clause(sure, strong, route="touring", stage=2))
    assert [(row.route, row.taken, row.final) for row in by_cosine] == [
        ("touring", True, "0.80"),
        ("graph", False, "1.20"),
    ]


def test_the_route_taken_is_always_shown() -> None:
    many = [score(f"r{n}", 0.1, cosine=0.1 * n) for n in range(9)]
    rows = score_rows(clause(*many, route="r0", stage=0), 3)
    assert [row.route for row in rows] == ["r8", "r7", "r0"]


def test_what_a_route_lacked_is_in_its_final_score() -> None:
    decided = clause(score("graph", 0.9, cosine=0.3), score("relational", 0.1, cosine=0.29))
    graph, relational = decided.scores
    assert lacks(decided, graph) is None
    assert lacks(decided, relational) == 0.81
    assert lacks(replace(decided, stage=0), relational) is None


def test_where_stage_two_decided_it_also_lacked_cosine() -> None:
    # .7 leads .3 by .4: at .45 the margin would be delta, and only then the stores are asked; they would say graph.
    taken = clause(score("touring", 0.1, cosine=0.7), score("graph", 0.9, cosine=0.3), route="touring", stage=2)
    assert lacks(taken, taken.scores[0]) == 0.15
    # Below tau_low of .2: .05 more, and the higher final score of .65 decides.
    free = clause(score("vectorial", 0.0, cosine=0.1), score("graph", 0.5, cosine=0.15), route="vectorial", stage=2)
    assert lacks(free, free.scores[0]) == 0.05


def test_margins_have_a_sign() -> None:
    taken = clause(score("touring", 0.1, cosine=0.7), score("graph", 0.9, cosine=0.3), route="touring", stage=2)
    assert shown_final_margin(taken, 2) == "-0.40"
    assert shown_final_margin(replace(taken, scores=()), 2) == ""


def test_bars_are_as_long_as_the_final_score() -> None:
    rows = score_rows(clause(score("graph", 0.75, cosine=0.5), score("text", 0.0, cosine=0.25)))
    # 1.25 is the whole width of ten cells: .5 of it are four cells, .25 two.
    assert [bars(row, 10) for row in rows] == [("▓▓▓▓", "██████"), ("▓▓", "")]
    (short,) = score_rows(clause(score("text", 0.05, cosine=0.2)))
    assert bars(short, 10) == ("▓▓", "▌")
    (below,) = score_rows(clause(score("text", 0.0, cosine=-0.2)))
    assert bars(below, 10) == ("", "")


def test_decisions_stored_before_terms_were_are_shown() -> None:
    old = replace(score("relational", 0.2, cosine=0.3), terms=(), final_score=0.41)
    (row,) = score_rows(clause(old))
    assert row.terms == (("cosine", "0.30"), ("stores", "0.11"))


def test_numbers() -> None:
    assert (number(-0.001, 2), number(0.125, 2), number(-0.5, 1)) == ("0.00", "0.12", "-0.5")
    assert (threshold(0.25), threshold(0.5), threshold(0.505)) == ("0.25", "0.50", "0.505")
