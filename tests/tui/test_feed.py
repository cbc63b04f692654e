from __future__ import annotations

import time
from threading import Event, Thread

from polyrag_cli.tui.events import Asked, Decided, Refused, SpanSeen
from polyrag_cli.tui.feed import Feed
from polyrag_cli.tui.state import State, reduce
from tests.tui.turns import decision, span

THREADS, SPANS = 8, 2500


def test_a_reader_is_woken_once_until_it_takes() -> None:
    woken: list[None] = []
    feed = Feed(lambda: woken.append(None))
    for n in range(5):
        feed.put(Refused(n, "no"))
    assert len(woken) == 1
    assert [event.turn for event in feed.take()] == [0, 1, 2, 3, 4]
    assert feed.take() == []
    feed.put(Refused(9, "no"))
    assert len(woken) == 2


def test_questions_and_spans_wake_nobody_but_are_taken_with_the_rest() -> None:
    woken: list[None] = []
    feed = Feed(lambda: woken.append(None))
    feed.put(Asked(1, "a"))
    feed.put(SpanSeen(1, span(1)))
    assert woken == []
    feed.put(Decided(1, decision()))
    feed.put(SpanSeen(1, span(2)))
    assert len(woken) == 1
    assert len(feed.take()) == 4


def test_twenty_thousand_spans_of_eight_threads_all_reach_the_state() -> None:
    feed = Feed(lambda: None)
    for turn in range(THREADS):
        feed.put(Asked(turn, "flood"))

    def flood(turn: int) -> None:
        for n in range(SPANS):
            if n == SPANS // 2:
                assert taken.wait(60)
            feed.put(SpanSeen(turn, span(n)))

    taken = Event()
    threads = [Thread(target=flood, args=(turn,)) for turn in range(THREADS)]
    for thread in threads:
        thread.start()
    state, batches = State(), 0
    while any(thread.is_alive() for thread in threads):
        state = reduce(state, feed.take())
        batches += 1
        taken.set()
        time.sleep(0.001)
    state = reduce(state, feed.take())
    assert [len(turn.spans) for turn in state.turns] == [SPANS] * THREADS
    assert [[s.name for s in turn.spans] for turn in state.turns] == [[f"span.{n}" for n in range(SPANS)]] * THREADS
    assert batches > 1
