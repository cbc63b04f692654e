"""The conversation: what questions' threads tell becomes its state, in order and whole."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event as Flag
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.tui.events import Asked, Heard
from polyrag_cli.tui.questions import Questions
from polyrag_cli.types import AnswerReady, DecisionMade, LinedText, SpanStarted
from tests.command_line import PATIENCE_S
from tests.tui.turns import answer, decision, span

THREADS, SPANS = 8, 2500


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def opened(ask_events: Any) -> Future[Any]:
    engine: Future[Any] = Future()
    engine.set_result(SimpleNamespace(ask_events=ask_events, lined_text=lambda document: LinedText("one\ntwo\n" * 30)))
    return engine


def ended(questions: Questions) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while any(turn.phase == "asking" for turn in questions.take().turns):
        assert time.monotonic() < deadline, "a question doesn't end"
        time.sleep(0.001)


def test_a_question_waits_for_the_engine_and_brings_its_answer_with_the_lines_of_its_sources(
    pool: ThreadPoolExecutor,
) -> None:
    calls: list[tuple[Any, ...]] = []

    def ask_events(question: str, route: str | None, strategy: str | None, use_cache: bool) -> Iterator[object]:
        calls.append((question, route, strategy, use_cache))
        yield DecisionMade(decision())
        yield AnswerReady(answer())

    engine: Future[Any] = Future()
    questions = Questions(engine, pool)
    assert questions.ask("why?", "graph") == 1
    assert questions.running and questions.take() is questions.state and questions.state.turns[0].question == "why?"
    engine.set_result(opened(ask_events).result())
    ended(questions)
    (turn,) = questions.state.turns
    assert (turn.phase, turn.answer, turn.lines[1]) == ("answered", answer(), "lines 11–15")
    assert calls == [("why?", "graph", None, True)] and questions.last_answer == answer()


def test_two_routes_are_asked_one_after_the_other_without_the_cache(pool: ThreadPoolExecutor) -> None:
    running: list[str | None] = []

    def ask_events(question: str, route: str | None, strategy: str | None, use_cache: bool) -> Iterator[object]:
        running.append(route)
        yield DecisionMade(decision())
        assert running[-1] == route and not use_cache
        yield AnswerReady(answer())

    questions = Questions(opened(ask_events), pool)
    assert questions.compare("why?", (None, "graph")) == 2
    ended(questions)
    assert running == [None, "graph"]
    assert [(turn.beside, turn.phase) for turn in questions.state.turns] == [(2, "answered"), (1, "answered")]


def test_an_error_before_and_amid_the_events_is_the_questions_end(pool: ThreadPoolExecutor) -> None:
    def ask_events(question: str, **_: object) -> Iterator[object]:
        if question == "first":
            raise StoreError("no corpus.", "Ingest.")
        yield DecisionMade(decision())
        raise KeyError("home")

    questions = Questions(opened(ask_events), pool)
    questions.ask("first")
    questions.ask("second")
    ended(questions)
    first, second = questions.state.turns
    assert (first.error, first.decision) == ("no corpus. Ingest.", None)
    assert (second.error, second.decision) == ("unexpected KeyError: 'home'", decision())


def test_twenty_thousand_spans_of_eight_threads_all_reach_the_state(pool: ThreadPoolExecutor) -> None:
    questions = Questions(Future(), pool)
    for turn in range(THREADS):
        questions.hear(Asked(turn, "flood"))

    def flood(turn: int) -> None:
        for n in range(SPANS):
            if n == SPANS // 2:
                assert taken.wait(PATIENCE_S)
            questions.hear(Heard(turn, SpanStarted(span(n))))

    taken = Flag()
    threads = [Thread(target=flood, args=(turn,)) for turn in range(THREADS)]
    for thread in threads:
        thread.start()
    batches = 0
    while any(thread.is_alive() for thread in threads):
        batches += questions.state is not questions.take()
        taken.set()
        time.sleep(0.001)
    questions.take()
    turns = questions.state.turns
    assert [len(turn.spans) for turn in turns] == [SPANS] * THREADS
    assert [[s.name for s in turn.spans] for turn in turns] == [[f"span.{n}" for n in range(SPANS)]] * THREADS
    assert batches > 1
