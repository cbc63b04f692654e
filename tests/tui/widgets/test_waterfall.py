from __future__ import annotations

from polyrag_cli.tui.widgets.waterfall import span_lines
from polyrag_cli.types import SpanRecord


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
