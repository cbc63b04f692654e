"""The span tree's branches and the cells of its waterfall."""

from __future__ import annotations

import pytest

from polyrag_cli.display.spans import bar_cells, tree
from polyrag_cli.types import SpanRecord


def span(name: str, parent: int) -> SpanRecord:
    return SpanRecord(name, parent, 0.0, 1.0)


def test_a_tree_draws_branches_and_keeps_the_order_of_siblings() -> None:
    spans = [span("ask", -1), span("a", 0), span("a1", 1), span("a2", 1), span("b", 0), span("b1", 4)]
    assert [f"{prefix}{record.name}" for record, prefix in tree(spans)] == [
        "ask",
        "├ a",
        "│ ├ a1",
        "│ └ a2",
        "└ b",
        "  └ b1",
    ]


def test_a_deep_tree_needs_no_recursion() -> None:
    spans = [span(str(depth), depth - 1) for depth in range(5000)]
    assert len(tree(spans)) == 5000


@pytest.mark.parametrize(
    ("start", "ms", "cells"), [(0, 10, (0, 20)), (5, 5, (10, 10)), (9.99, 0.001, (19, 1)), (2.5, 100, (5, 15))]
)
def test_a_bar_stays_inside_the_waterfall(start: float, ms: float, cells: tuple[int, int]) -> None:
    assert bar_cells(start, ms, 10.0, 20) == cells


def test_a_trace_of_no_duration_has_bars_of_one_cell_at_least() -> None:
    assert bar_cells(0.0, 0.0, 0.0, 20) == (0, 1)
