from __future__ import annotations

from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.waterfall import MAX_SPANS, span_lines, turn_spans
from polyrag_cli.types import SpanRecord
from tests.tui.turns import span


def test_a_span_stands_below_its_parent_with_a_bar_over_the_whole() -> None:
    spans = (SpanRecord("ask", -1, 0.0, 20.0), SpanRecord("first", 0, 0.0, 10.0), SpanRecord("last", 0, 10.0, 10.0))
    assert [str(line) for line in span_lines(spans, 26)] == [
        "ask     ▇▇▇▇▇▇▇▇▇▇    20.0",
        "├ first ▇▇▇▇▇         10.0",
        "└ last       ▇▇▇▇▇    10.0",
    ]


def test_a_failed_span_says_so() -> None:
    text = str(span_lines((SpanRecord("ask", -1, 0.0, 1.0, error="no table"),), 60)[0])
    assert "failed: no table" in text


def test_a_flood_of_spans_is_counted() -> None:
    flood = Turn(1, "a", spans=(span(0), *(span(n, 1.0, parent=0) for n in range(1, MAX_SPANS + 50))))
    lines = turn_spans(flood, 2000.0, 60)
    assert len(lines) == MAX_SPANS + 1
    assert str(lines[-1]) == "… 50 more spans"
