"""Many stored decisions made again: what differs at most, why, in which order, and what can't be read."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.impact.replays import (
    chosen_traces,
    named_traces,
    reasons,
    replay_one,
    replay_traces,
    replayed_as,
)
from polyrag_cli.routing.replay import differences
from polyrag_cli.types import ClauseDecision, Evidence, Replay, RouteDecision, RouteScore

QUESTIONS = ("Quem precisa autorizar a saída com vento forte?", "Qual foi a receita total?", "oi", "A enchente?")


def decision(**changes: object) -> RouteDecision:
    scores = (
        RouteScore("graph", 0.4, 0.9, "Who?", Evidence("entity", "Foz", 0.5)),
        RouteScore("vectorial", 0.3, 0.6, "How?", None),
    )
    clause = ClauseDecision(
        "Q", "q", "graph", (), 3, scores, 0.1, 0.3, 0.5, 0.2, 0.25, "graph_walk", "since", start=0, end=1
    )
    mine = {name: value for name, value in changes.items() if name in ("config_hash", "generation")}
    rest = {name: value for name, value in changes.items() if name not in mine}
    return replace(RouteDecision("Q", (replace(clause, **rest),), "c1", 1), **mine)  # type: ignore[arg-type]


def replayed(now: RouteDecision) -> tuple[str, str]:
    stored = decision()
    found = differences(stored, now)
    one = replayed_as(Replay("t", not found, stored, now, found))
    return one.change, one.cause


VECTORIAL_FIRST = (
    RouteScore("vectorial", 0.3, 0.95, "Why?", Evidence("heading", "O começo", 0.6)),
    RouteScore("graph", 0.4, 0.9, "Who?", Evidence("entity", "Foz", 0.5)),
)


@pytest.mark.parametrize(
    ("changes", "change", "cause"),
    [
        ({}, "same", ""),
        ({"generation": 2}, "stamp", "corpus"),
        ({"config_hash": "c2"}, "stamp", "configuration"),
        ({"config_hash": "c2", "generation": 2}, "stamp", "configuration and corpus"),
        ({"margin": 0.2}, "score", "neither"),
        ({"margin": 0.2, "generation": 2}, "score", "corpus"),
        ({"scores": VECTORIAL_FIRST}, "score", "neither"),
        ({"strategy": "hybrid", "generation": 2}, "decision", "corpus"),
        ({"stage": 2}, "decision", "neither"),
        ({"also": ("vectorial",)}, "decision", "neither"),
        ({"answerable": False}, "decision", "neither"),
        ({"route": "vectorial", "config_hash": "c2"}, "route", "configuration"),
        ({"text": "R"}, "route", "neither"),
    ],
)
def test_what_differs_at_most_and_why(changes: dict[str, object], change: str, cause: str) -> None:
    assert replayed(decision(**changes)) == (change, cause)


def test_another_number_of_clauses_is_another_route() -> None:
    now = decision()
    now = replace(now, clauses=now.clauses * 2)
    assert replayed(now) == ("route", "neither")
    assert reasons(decision(), now) == ("clauses 1 → 2",)


def test_reasons_name_both_routes_scores_and_what_they_rest_on() -> None:
    now = decision(route="vectorial", strategy="hybrid", scores=VECTORIAL_FIRST, stage=2)
    assert reasons(decision(), now) == (
        "graph 0.90",
        "vectorial 0.60 → 0.95",
        "anchor of vectorial now “Why?”",
        "evidence for vectorial none → heading “O começo”",
        "stage 3 → 2",
    )
    assert reasons(decision(), decision(answerable=False, also=("vectorial",))) == (
        "also searched none → vectorial",
        "no longer answerable",
    )


def test_numbers_have_the_places_that_show_them_to_differ() -> None:
    graph, *others = decision().clauses[0].scores
    near = (replace(graph, final_score=0.900041), *others)
    assert reasons(decision(), decision(scores=near)) == ("graph 0.90000 → 0.90004",)
    assert reasons(decision(), decision(scores=tuple(others))) == ("graph is gone",)


# ---------------------------------------------------------------- over a store
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
    report = replay_traces(asked, chosen_traces(asked), lambda done, total: seen.append((done, total)))
    assert [one.question for one in report.replayed] == list(reversed(QUESTIONS))
    assert (report.changes["same"], report.different, report.rerouted, report.causes) == (4, 0, 0, {})
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_changed_routes_come_first_with_their_reasons(asked: Engine) -> None:
    anchors = {"routes.vectorial.anchors.question.pt": [QUESTIONS[0]], "routing.text_weight": 0.0}
    with other(asked, **anchors) as engine:
        report = replay_traces(engine, chosen_traces(engine))
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
    report = replay_traces(asked, chosen_traces(asked))
    by_question = {one.question: one for one in report.replayed}
    assert (by_question["oi"].change, by_question["oi"].cause, by_question["oi"].reasons) == ("stamp", "corpus", ())
    assert report.causes == {"corpus": 4} and report.rerouted == 0


def test_traces_are_chosen_by_age_and_route(asked: Engine) -> None:
    every = chosen_traces(asked)
    assert len(every) == 4 and chosen_traces(asked, last=2) == every[:2]
    assert len(chosen_traces(asked, route="graph")) == 1
    assert chosen_traces(asked, route="nowhere") == []
    assert named_traces(asked, [every[0][:6], every[0], every[1]]) == every[:2]
    with pytest.raises(UsageError, match="no trace"):
        named_traces(asked, ["zz"])


def damage(data: Path, trace_id: str, payload: bytes) -> None:
    with sqlite3.connect(data / "activity.sqlite") as connection:
        connection.execute("UPDATE traces SET payload = ? WHERE trace_id = ?", (payload, trace_id))
    connection.close()


def test_what_cannot_be_read_is_told_and_the_others_go_on(asked: Engine) -> None:
    import zlib

    every = chosen_traces(asked)
    damage(asked.paths.root, every[0], b"no zlib")
    damage(asked.paths.root, every[1], zlib.compress(b'{"decision": {"question": "q"}}'))
    damage(asked.paths.root, every[2], zlib.compress(b"{"))
    report = replay_traces(asked, [*named_traces(asked, every), "gone"])
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

    every = chosen_traces(asked)
    damage(asked.paths.root, every[0], zlib.compress(text.encode()))
    assert [trace.trace_id for trace in replay_traces(asked, every).unreadable] == every[:1]


def test_one_that_cannot_be_read_is_named(asked: Engine) -> None:
    (first, *_) = chosen_traces(asked)
    damage(asked.paths.root, first, b"no zlib")
    with pytest.raises(StoreError, match=f"trace {first[:8]} can't be read: damaged"):
        replay_one(asked, first)


def test_any_number_of_traces_may_be_asked_for(asked: Engine) -> None:
    assert chosen_traces(asked, last=10**30) == chosen_traces(asked)


def test_a_corpus_that_cannot_be_read_is_no_trace_s_fault(asked: Engine) -> None:
    with other(asked, **{"embedder.name": "none"}) as engine, pytest.raises(StoreError, match="embedded with"):
        replay_traces(engine, chosen_traces(engine))
