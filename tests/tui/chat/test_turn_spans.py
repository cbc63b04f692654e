from __future__ import annotations

from polyrag_cli.tui.chat.turn_spans import span_records, turn_spans
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.waterfall import MAX_SPANS
from polyrag_cli.types import SpanRecord
from tests.tui.turns import answer, span


def test_spans_of_a_running_question_are_records_that_last_until_now() -> None:
    turn = Turn(1, "a", spans=(span(1), span(2, 4.0, parent=1, start_ms=2.0)))
    root, child = span_records(turn, now_ms=1010.0)
    assert root == SpanRecord("span.1", -1, 0.0, 10.0)
    assert child == SpanRecord("span.2", 0, 2.0, 4.0)
    assert span_records(turn, 1010.0, limit=1) == (root,)


def test_an_answer_brings_its_own_spans() -> None:
    own = (SpanRecord("ask", -1, 0.0, 14.0),)
    assert span_records(Turn(1, "a", spans=(span(1),), answer=answer(spans=own)), 0.0) == own


def test_a_flood_of_spans_is_counted() -> None:
    flood = Turn(1, "a", spans=(span(0), *(span(n, 1.0, parent=0) for n in range(1, MAX_SPANS + 50))))
    lines = turn_spans(flood, 2000.0, 60)
    assert len(lines) == MAX_SPANS + 1
    assert str(lines[-1]) == "… 50 more spans"
