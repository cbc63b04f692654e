"""Latency by route: hand-computed percentiles, sparklines."""

from __future__ import annotations

from polyrag_cli.stores.activity import TraceRecord
from polyrag_cli.tui.telemetry.latency_panel import CACHE, SHOWN, latencies, spark


def trace(route: str, ms: float, cached: bool = False) -> TraceRecord:
    return TraceRecord("ab", 0.0, "q?", (route,), cached, False, ms)


def test_times_are_by_route_with_cached_answers_apart() -> None:
    newest_first = [trace("graph", 4.0), trace("graph", 1.0, cached=True), trace("direct", 7.0), trace("graph", 2.0)]
    graph, *_ = (row for row in latencies(newest_first) if row.route == "graph")
    assert [row.route for row in latencies(newest_first)] == ["direct", "graph", CACHE]
    # Percentiles of (2, 4): 2 + (4 - 2) · 0.5 and 2 + (4 - 2) · 0.95; the sparkline runs from old to new.
    assert (graph.count, graph.p50, round(graph.p95, 6), graph.recent) == (2, 3.0, 3.9, (2.0, 4.0))


def test_a_sparkline_is_bounded_and_keeps_the_newest() -> None:
    (row,) = latencies([trace("graph", float(n)) for n in range(100)])
    assert row.count == 100 and len(row.recent) == SHOWN
    assert row.recent[-1] == 0.0


def test_heights_are_shares_of_the_largest() -> None:
    assert spark((0.0, 5.0, 10.0)) == "▁▄▇"
    assert spark((0.0, 0.0)) == "▁▁"
    assert spark(()) == ""
    assert spark((-1.0, 1.0)) == "▁▇"
