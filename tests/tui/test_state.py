from __future__ import annotations

from polyrag_cli.tui.events import Answered, Asked, Decided, Located, Refused, SpanSeen
from polyrag_cli.tui.state import MAX_TURNS, State, reduce, span_records
from polyrag_cli.types import SpanRecord
from tests.tui.turns import answer, decision, span


def test_a_question_goes_from_asked_over_decided_to_answered() -> None:
    asked = reduce(State(), [Asked(1, "why?", route="graph")])
    assert (asked.turns[0].phase, asked.turns[0].route, asked.turns[0].decision) == ("asking", "graph", None)

    decided = reduce(asked, [Decided(1, decision())])
    assert (decided.turns[0].phase, decided.turns[0].decision) == ("asking", decision())

    answered = reduce(decided, [Located(1, {1: "line 3"}), Answered(1, answer())])
    turn = answered.turns[0]
    assert (turn.phase, turn.answer, turn.decision, turn.lines) == ("answered", answer(), decision(), {1: "line 3"})


def test_the_state_before_stays_as_it_was() -> None:
    before = reduce(State(), [Asked(1, "why?")])
    reduce(before, [Answered(1, answer())])
    assert before.turns[0].phase == "asking"


def test_turns_that_nothing_happened_to_stay_the_same_objects() -> None:
    before = reduce(State(), [Asked(1, "a"), Asked(2, "b")])
    after = reduce(before, [Decided(2, decision())])
    assert after.turns[0] is before.turns[0]
    assert after.turns[1] is not before.turns[1]


def test_what_comes_after_the_end_or_for_an_unknown_turn_changes_nothing() -> None:
    ended = reduce(State(), [Asked(1, "a"), Refused(1, "no corpus")])
    assert ended.turns[0].error == "no corpus"
    late = reduce(ended, [Answered(1, answer()), Decided(1, decision()), Located(1, {1: "x"}), Answered(9, answer())])
    assert late.turns[0] is ended.turns[0]
    assert len(late.turns) == 1


def test_the_end_of_a_span_takes_the_place_of_its_start() -> None:
    state = reduce(State(), [Asked(1, "a"), SpanSeen(1, span(1)), SpanSeen(1, span(2, parent=1))])
    state = reduce(state, [SpanSeen(1, span(2, ms=4.0, parent=1)), SpanSeen(1, span(2, parent=1))])
    assert [(s.name, s.ms) for s in state.turns[0].spans] == [("span.1", None), ("span.2", 4.0)]


def test_spans_of_a_running_question_are_records_that_last_until_now() -> None:
    state = reduce(State(), [Asked(1, "a"), SpanSeen(1, span(1)), SpanSeen(1, span(2, 4.0, parent=1, start_ms=2.0))])
    root, child = span_records(state.turns[0], now_ms=1010.0)
    assert root == SpanRecord("span.1", -1, 0.0, 10.0)
    assert child == SpanRecord("span.2", 0, 2.0, 4.0)
    assert span_records(state.turns[0], 1010.0, limit=1) == (root,)


def test_an_answer_brings_its_own_spans() -> None:
    own = (SpanRecord("ask", -1, 0.0, 14.0),)
    state = reduce(State(), [Asked(1, "a"), SpanSeen(1, span(1)), Answered(1, answer(spans=own))])
    assert state.turns[0].spans == ()
    assert span_records(state.turns[0], 0.0) == own


def test_only_the_newest_turns_are_kept() -> None:
    state = reduce(State(), [Asked(n, str(n)) for n in range(1, MAX_TURNS + 3)])
    assert [state.turns[0].number, state.turns[-1].number] == [3, MAX_TURNS + 2]
    assert state.turn(2) is None
    assert state.turn(3) is state.turns[0]
