"""Kept traces: which are chosen, which decisions differ when they are made again, and what can't be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError

QUESTIONS = ("Quem precisa autorizar a saída com vento forte?", "Qual foi a receita total?", "oi", "A enchente?")


def ids(engine: Engine, limit: int | None = None, **choice: Any) -> Sequence[str]:
    return [record.trace_id for record in engine.traces.list(limit, **choice)]


@pytest.fixture
def asked(own_engine: Engine) -> Engine:
    # The corpus was copied with what other tests had asked of it.
    for suffix in ("", "-wal", "-shm"):
        own_engine.paths.activity.with_name(f"activity.sqlite{suffix}").unlink(missing_ok=True)
    for question in QUESTIONS:
        own_engine.ask(question, use_cache=False)
    return own_engine


def other(engine: Engine, **overrides: object) -> Engine:
    return Engine.open(data_dir=engine.paths.root, overrides={"embedder.name": "hashing", **overrides})


def test_nothing_changed(asked: Engine) -> None:
    seen: list[tuple[int, int]] = []
    report = asked.traces.replay_all(ids(asked), lambda done, total: seen.append((done, total)))
    assert [one.question for one in report.replayed] == list(reversed(QUESTIONS))
    assert (report.changes["same"], report.different, report.rerouted, report.causes) == (4, 0, 0, {})
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_changed_routes_come_first_with_their_reasons(asked: Engine) -> None:
    anchors = {"routes.vectorial.anchors.question.pt": [QUESTIONS[0]], "routing.text_weight": 0.0}
    with other(asked, **anchors) as engine:
        report = engine.traces.replay_all(ids(engine))
    first = next(one for one in report.replayed if one.question == QUESTIONS[0])
    assert (first.change, first.cause) == ("route", "configuration")
    assert (first.before, first.now) == ("graph", "vectorial")
    assert any(text == f"anchor of vectorial now “{QUESTIONS[0]}”" for text in first.reasons)
    assert first.moved > 0.05 and first.differences
    order = ["route", "decision", "score", "stamp", "same"]
    places = [(order.index(one.change), -one.moved) for one in report.replayed]
    assert places == sorted(places) and report.rerouted >= 1
    assert report.causes == {"configuration": 4}


def test_a_commit_alone_is_only_a_stamp_for_what_it_does_not_touch(asked: Engine) -> None:
    asked.ingest_text("Umbrellas are kept.", "umbrellas.txt")
    report = asked.traces.replay_all(ids(asked))
    by_question = {one.question: one for one in report.replayed}
    assert (by_question["oi"].change, by_question["oi"].cause, by_question["oi"].reasons) == ("stamp", "corpus", ())
    assert report.causes == {"corpus": 4} and report.rerouted == 0


def test_traces_are_chosen_by_age_and_route(asked: Engine) -> None:
    every = ids(asked)
    assert len(every) == 4 and ids(asked, limit=2) == every[:2]
    assert len(ids(asked, route="graph")) == 1
    assert ids(asked, route="nowhere") == []
    assert asked.traces.named([every[0][:6], every[0], every[1]]) == every[:2]
    with pytest.raises(UsageError, match="no trace"):
        asked.traces.named(["zz"])


def damage(data: Path, trace_id: str, payload: bytes) -> None:
    with sqlite3.connect(data / "activity.sqlite") as connection:
        connection.execute("UPDATE traces SET payload = ? WHERE trace_id = ?", (payload, trace_id))
    connection.close()


def test_what_cannot_be_read_is_told_and_the_others_go_on(asked: Engine) -> None:
    import zlib

    every = ids(asked)
    damage(asked.paths.root, every[0], b"no zlib")
    damage(asked.paths.root, every[1], zlib.compress(b'{"decision": {"question": "q"}}'))
    damage(asked.paths.root, every[2], zlib.compress(b"{"))
    report = asked.traces.replay_all([*asked.traces.named(every), "gone"])
    assert [trace.trace_id for trace in report.unreadable] == [*every[:3], "gone"]
    assert [trace.reason.split()[0] for trace in report.unreadable] == ["damaged", "The", "The", "no"]
    assert [one.trace_id for one in report.replayed] == every[3:]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"decision": {"question": "", "clauses": [], "config_hash": "", "generation": 1}}',
    ],
)
def test_whatever_is_stored_no_other_trace_suffers(asked: Engine, text: str) -> None:
    import zlib

    every = ids(asked)
    damage(asked.paths.root, every[0], zlib.compress(text.encode()))
    assert [trace.trace_id for trace in asked.traces.replay_all(every).unreadable] == every[:1]


def test_one_that_cannot_be_read_is_named(asked: Engine) -> None:
    (first, *_) = ids(asked)
    damage(asked.paths.root, first, b"no zlib")
    with pytest.raises(StoreError, match=f"trace {first[:8]} can't be read: damaged"):
        asked.traces.replay_one(first)


def test_any_number_of_traces_may_be_asked_for(asked: Engine) -> None:
    assert ids(asked, limit=10**30) == ids(asked)


def test_a_corpus_that_cannot_be_read_is_no_trace_s_fault(asked: Engine) -> None:
    with other(asked, **{"embedder.name": "none"}) as engine, pytest.raises(StoreError, match="embedded with"):
        engine.traces.replay_all(ids(engine))
