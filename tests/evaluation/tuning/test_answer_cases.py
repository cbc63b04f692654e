"""What the weights are fitted to is what the engine computes its probability from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli.answering.probability import Signs, weights_of
from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.answer_cases import ask_for_signs
from polyrag_cli.types import EvalItem

FOG = "When is the bell of the harbour office rung?"
NOBODY = "Which company insures the umbrellas?"


@pytest.fixture
def lenient(small_data: Path) -> Iterator[Engine]:
    settings = Settings.load(data_dir=small_data, overrides={"embedder.name": "hashing", "tracing.enabled": False})
    with Engine(replace(settings, answer=replace(settings.answer, min_probability=0.0))) as opened:
        yield opened


def test_signs_give_the_probability_that_the_answer_has(lenient: Engine) -> None:
    items = [EvalItem(FOG, facts=("fog",)), EvalItem(NOBODY, declines=True, tags=("near",))]
    cases, left_out = ask_for_signs(lenient, "ferries", items)
    assert left_out == {}
    assert [(case.folder, case.question, case.answerable) for case in cases] == [
        ("ferries", FOG, True),
        ("ferries", NOBODY, False),
    ]
    assert cases[0].right is True and cases[1].right is None
    assert cases[1].tags == ("near",)
    for case in cases:
        answer = lenient.ask(case.question, use_cache=False)
        assert case.signs == answer.signs
        assert set(case.signs) == {"coverage", "cosine", "unknown", "size"}
        weights = weights_of(lenient.settings.answer_probability, dense=True)
        assert weights.probability(Signs(**case.signs)) == pytest.approx(answer.probability, abs=1e-5)


def test_questions_that_say_nothing_of_it_are_left_out_by_their_reason(lenient: Engine) -> None:
    items = [
        EvalItem("What is 2 + 2?", facts=("4",)),
        EvalItem("Qual foi a receita de Foz em janeiro?", routes=("relational",), facts=("640",)),
        EvalItem(f"{FOG} And when does the last ferry leave Foz?", facts=("fog",)),
    ]
    told: list[tuple[int, int]] = []
    cases, left_out = ask_for_signs(lenient, "ferries", items, lambda done, total: told.append((done, total)))
    assert cases == []
    assert left_out == {"answered without a quote": 1, "labelled as one for tables": 1, "of several clauses": 1}
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_other_weights_give_another_probability_and_another_answer_hash(small_data: Path) -> None:
    found = []
    for overrides in ({}, {"answer_probability.bias": -9.0}):
        given = {"embedder.name": "hashing", "tracing.enabled": False, **overrides}
        with Engine.open(data_dir=small_data, overrides=given) as engine:
            found.append((engine.ask(FOG, use_cache=False), engine.answer_hash))
    (usual, hashed), (shy, other) = found
    assert usual.answer is not None and shy.answer is None
    assert (usual.probability or 0.0) > (shy.probability or 0.0)
    assert usual.signs == shy.signs
    assert hashed != other
