from __future__ import annotations

from polyrag_cli.tui.events import Asked, Heard, Located, Refused
from polyrag_cli.tui.state import MAX_TURNS, State, reduce
from polyrag_cli.types import AnswerReady, DecisionMade, SpanEnded, SpanStarted, TokenWritten
from tests.tui.turns import answer, decision, span


def test_a_question_goes_from_asked_over_decided_to_answered() -> None:
    asked = reduce(State(), [Asked(1, "why?", route="graph")])
    assert (asked.turns[0].phase, asked.turns[0].route, asked.turns[0].decision) == ("asking", "graph", None)

    decided = reduce(asked, [Heard(1, DecisionMade(decision()))])
    assert (decided.turns[0].phase, decided.turns[0].decision) == ("asking", decision())

    answered = reduce(decided, [Located(1, {1: "line 3"}), Heard(1, AnswerReady(answer()))])
    turn = answered.turns[0]
    assert (turn.phase, turn.answer, turn.decision, turn.lines) == ("answered", answer(), decision(), {1: "line 3"})


def test_the_state_before_stays_as_it_was() -> None:
    before = reduce(State(), [Asked(1, "why?")])
    reduce(before, [Heard(1, AnswerReady(answer()))])
    assert before.turns[0].phase == "asking"


def test_turns_that_nothing_happened_to_stay_the_same_objects() -> None:
    before = reduce(State(), [Asked(1, "a"), Asked(2, "b")])
    after = reduce(before, [Heard(2, DecisionMade(decision()))])
    assert after.turns[0] is before.turns[0]
    assert after.turns[1] is not before.turns[1]


def test_what_comes_after_the_end_or_for_an_unknown_turn_changes_nothing() -> None:
    ended = reduce(State(), [Asked(1, "a"), Refused(1, "no corpus")])
    assert ended.turns[0].error == "no corpus"
    late = reduce(
        ended,
        [
            Heard(1, AnswerReady(answer())),
            Heard(1, DecisionMade(decision())),
            Located(1, {1: "x"}),
            Heard(9, AnswerReady(answer())),
        ],
    )
    assert late.turns[0] is ended.turns[0]
    assert len(late.turns) == 1


def test_the_end_of_a_span_takes_the_place_of_its_start() -> None:
    state = reduce(State(), [Asked(1, "a"), Heard(1, SpanStarted(span(1))), Heard(1, SpanStarted(span(2, parent=1)))])
    state = reduce(state, [Heard(1, SpanEnded(span(2, ms=4.0, parent=1))), Heard(1, SpanStarted(span(2, parent=1)))])
    assert [(s.name, s.ms) for s in state.turns[0].spans] == [("span.1", None), ("span.2", 4.0)]


def test_the_answer_grows_as_it_is_written_and_gives_way_to_the_whole() -> None:
    state = reduce(State(), [Asked(1, "a"), Heard(1, TokenWritten("Lots need ")), Heard(1, TokenWritten("an"))])
    assert (state.turns[0].written, state.turns[0].phase) == ("Lots need an", "asking")
    ended = reduce(state, [Heard(1, AnswerReady(answer())), Heard(1, TokenWritten("x"))]).turns[0]
    assert (ended.written, ended.answer) == ("", answer())


def test_only_the_newest_turns_are_kept() -> None:
    state = reduce(State(), [Asked(n, str(n)) for n in range(1, MAX_TURNS + 3)])
    assert [state.turns[0].number, state.turns[-1].number] == [3, MAX_TURNS + 2]
    assert state.turn(2) is None
    assert state.turn(3) is state.turns[0]
