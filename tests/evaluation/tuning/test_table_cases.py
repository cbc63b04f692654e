"""When a reading of a table is right, and that its evidence is what the engine computes its confidence from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.table_cases import ask_for_evidence, is_right
from polyrag_cli.nl2sql.scoring import confidence
from polyrag_cli.types import Answer, Cell, EvalItem

JANUARY = "Qual foi a receita de Foz em janeiro?"


@pytest.fixture
def lenient(small_data: Path) -> Iterator[Engine]:
    settings = Settings.load(data_dir=small_data, overrides={"embedder.name": "hashing", "tracing.enabled": False})
    with Engine(replace(settings, answer=replace(settings.answer, min_confidence=0.0))) as opened:
        yield opened


def test_evidence_gives_the_confidence_that_the_reading_has(lenient: Engine) -> None:
    items = [
        EvalItem(JANUARY, values=("640",)),
        EvalItem(JANUARY, facts=("702,50",)),
        EvalItem(JANUARY, declines=True),
        EvalItem("Qual foi a receita de Atlântida em janeiro?", values=("1",), gold=("travessias.csv",)),
    ]
    cases, left_out = ask_for_evidence(lenient, "ferries", items)
    assert left_out == {}
    assert [(case.answerable, case.right) for case in cases] == [
        (True, True),
        (True, False),
        (False, False),
        (True, False),
    ]
    assert {case.table for case in cases} == {"ferries/travessias.csv"}
    (reading,) = lenient.ask(JANUARY, route="relational", use_cache=False).readings
    assert cases[0].evidence == reading.evidence
    assert confidence(reading.evidence, lenient.settings.table_confidence) == reading.confidence
    # A name that no cell holds forbids an answer, whatever the confidence.
    assert cases[3].evidence == {}


def test_questions_that_say_nothing_of_it_are_left_out_by_their_reason(lenient: Engine) -> None:
    items = [EvalItem("Why is the bell rung?", routes=("vectorial",), facts=("fog",)), EvalItem(JANUARY)]
    cases, left_out = ask_for_evidence(lenient, "ferries", items)
    assert cases == []
    assert left_out == {"labelled as one for text": 1, "without a labelled answer": 1}


@pytest.mark.parametrize(
    ("cells", "values", "right"),
    [
        ((640.0,), ("640",), True),
        ((1234.5,), ("1,234.5",), True),
        (("Évora", "Braga"), ("braga", "evora"), True),
        (("Braga", "Braga"), ("Braga",), False),
        (("Braga",), ("Braga", "Faro"), False),
        ((True,), ("true",), True),
        ((0.1 + 0.2,), ("0.3",), True),
    ],
)
def test_values_are_all_of_the_first_column_in_any_order(
    cells: tuple[Cell, ...], values: tuple[str, ...], right: bool, lenient: Engine
) -> None:
    answer: Answer = replace(
        lenient.ask("2 + 2", use_cache=False), columns=("x",), rows=tuple((cell,) for cell in cells), answer="so"
    )
    assert is_right(EvalItem("q", values=values), answer) is right


def test_a_confidence_that_is_too_little_gives_no_figure(small_data: Path) -> None:
    given = {"embedder.name": "hashing", "tracing.enabled": False}
    for more, answered in (
        ({}, True),
        ({"answer.min_confidence": 1.0}, False),
        ({"table_confidence.bias": -40.0}, False),
    ):
        with Engine.open(data_dir=small_data, overrides={**given, **more}) as engine:
            assert bool(engine.ask(JANUARY, route="relational", use_cache=False).rows) is answered
