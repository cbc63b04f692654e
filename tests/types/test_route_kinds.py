"""What follows from what a route answers from."""

from __future__ import annotations

from polyrag_cli.registry import names
from polyrag_cli.types import RouteKind


def test_every_kind_has_a_registered_strategy_of_its_own() -> None:
    usual = [kind.default_strategy for kind in RouteKind]
    assert usual == ["text_to_sql", "auto", "graph_walk"]
    assert set(usual) - {"auto"} <= set(names("strategy"))
    assert [kind for kind in RouteKind if kind.default_strategy == "auto"] == [
        kind for kind in RouteKind if kind.chooses_strategy
    ]


def test_free_text_is_the_kind_that_takes_what_has_no_clear_home() -> None:
    assert sorted(RouteKind, key=lambda kind: kind.fallback_rank) == ["vector", "graph", "relational"]
    assert [kind for kind in RouteKind if kind.is_free_text] == ["vector"]


def test_one_kind_has_rows_and_another_gains_by_names() -> None:
    assert [kind for kind in RouteKind if kind.has_rows] == ["relational"]
    assert [kind for kind in RouteKind if kind.gains_by_names] == ["graph"]
