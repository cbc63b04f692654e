"""A second writer of SQL: what it is told, how what it writes is checked, and what becomes of a disagreement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.strategies.schema_card import card, linked
from polyrag_cli.strategies.second_writer import same_rows
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Answer, Cell, Column, TableSchema

QUESTION = "Quantos passageiros teve a linha Amieira?"
RIGHT = "SELECT sum(passageiros) AS n FROM travessias WHERE linha = 'Amieira'"


def _asked(data: Path, tmp_path: Path, *statements: dict[str, str], question: str = QUESTION) -> Answer:
    recording = tmp_path / "statements.jsonl"
    recording.write_text("\n".join(json.dumps({"question": question, **one}) for one in statements), encoding="utf-8")
    overrides: dict[str, Any] = {
        "embedder.name": "hashing",
        "sql_writer.name": "replay",
        "sql_writer.recordings": [str(recording)],
    }
    with Engine.open(data_dir=data, overrides=overrides) as engine:
        return engine.ask(question, use_cache=False)


def test_by_default_there_is_no_second_writer(engine: Engine) -> None:
    answer = engine.ask(QUESTION, use_cache=False)
    assert "215" in (answer.answer or "")
    assert answer.second == ()


def test_an_agreement_is_noted_and_nothing_is_said(small_data: Path, tmp_path: Path, engine: Engine) -> None:
    answer = _asked(small_data, tmp_path, {"sql": RIGHT})
    (second,) = answer.second
    assert (second.writer, second.sql, second.rows, second.agrees) == ("replay", RIGHT, ((215,),), True)
    alone = engine.ask(QUESTION, use_cache=False)
    assert (answer.answer, answer.sql, answer.warnings) == (alone.answer, alone.sql, alone.warnings)


def test_a_disagreement_is_a_warning_and_the_answer_stays(small_data: Path, tmp_path: Path, engine: Engine) -> None:
    answer = _asked(small_data, tmp_path, {"sql": "SELECT max(passageiros) AS n FROM travessias"})
    (second,) = answer.second
    assert (second.agrees, second.rows, second.error) == (False, ((210,),), "")
    assert "replay answers differently: 210 by SELECT max(passageiros) AS n FROM travessias" in answer.warnings
    assert answer.answer == engine.ask(QUESTION, use_cache=False).answer


REFUSED = (
    ("SELECT sum(passageiros) AS n FROM travesias", "There is no table 'travesias'. The nearest is 'travessias'."),
    ("SELECT sum(passageiros) AS n FROM travessias WHERE linha = 'Amiera'", "No linha is 'Amiera'. Nearest: Amieira."),
    # It has no part in the question, so the writer was never told of it.
    ("SELECT sum(receita) AS n FROM travessias", "There is no column 'receita'."),
    ("SELECT * FROM travessias", "A bare * answers nothing. Name the columns."),
    ("DROP TABLE travessias", "Only SELECT is allowed, not DROP."),
    ("SELECT sum(linha) AS n FROM travessias", "The statement is refused"),
)


@pytest.mark.parametrize(("sql", "error"), REFUSED)
def test_what_the_guard_refuses_is_written_once_more(small_data: Path, tmp_path: Path, sql: str, error: str) -> None:
    (second,) = _asked(small_data, tmp_path, {"sql": sql}, {"refused": sql, "sql": RIGHT}).second
    assert (second.sql, second.agrees, second.repaired, second.error) == (RIGHT, True, True, "")


@pytest.mark.parametrize(("sql", "error"), REFUSED)
def test_a_repair_that_fails_too_is_told_with_its_reason(
    small_data: Path, tmp_path: Path, sql: str, error: str
) -> None:
    answer = _asked(small_data, tmp_path, {"sql": "SELECT"}, {"refused": "SELECT", "sql": sql})
    (second,) = answer.second
    assert (second.sql, second.rows, second.agrees) == (sql, (), False)
    assert error in second.error
    assert any("replay wrote no statement that can run" in warning and error in warning for warning in answer.warnings)
    assert "215" in (answer.answer or "")


def test_a_writer_that_has_nothing_or_fails_costs_no_answer(small_data: Path, tmp_path: Path) -> None:
    assert _asked(small_data, tmp_path, {"sql": ""}).second == ()
    broken = _asked(small_data, tmp_path, {"nothing": "SELECT 1"})
    assert "no recording of statements" in broken.second[0].error
    assert "215" in (broken.answer or "")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([(1,)], [(1.0,)], True),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(1,)], [(2,)], False),
        ([(1,)], [("1",)], False),
        ([(True,)], [(1,)], False),
        ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)], True),
        ([("a", 1), ("b", 2)], [(2, "b"), (1, "a")], True),
        ([("a",), ("b",)], [("b", 2), ("a", 1)], True),
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], False),
        ([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)], False),
        ([(None,)], [(None,)], True),
        ([], [], True),
        ([], [(1,)], False),
    ],
)
def test_results_are_compared_by_what_they_say(
    one: Sequence[Sequence[Cell]], other: Sequence[Sequence[Cell]], same: bool
) -> None:
    assert same_rows(one, other) is same_rows(other, one) is same


SALES = TableSchema(
    "sales",
    "sales.csv",
    "Sales",
    (
        Column("region", "Region", "text", ("North", "South"), 2),
        Column("unit_price", "Unit price", "number", unit="EUR"),
        Column("note", "Note", "text", ("a", "b"), 900),
        Column("paid", "Paid?", "boolean"),
    ),
    rows=40,
)


def test_the_card_holds_what_the_question_and_the_parser_name_and_nothing_else() -> None:
    asked = read("What is the mean unit price in South?")
    schemas = linked(asked, "SELECT avg(unit_price) FROM sales", (SALES,))
    assert card(asked, schemas) == (
        "TABLE sales (40 rows)\n  region text: 'South', 'North'\n  unit_price number in EUR"
    )
    assert linked(read("How warm is it?"), "", (SALES,)) == ()
    used = linked(read("How warm is it?"), "SELECT paid FROM sales", (SALES,))
    assert card(asked, used) == 'TABLE sales (40 rows)\n  paid boolean "Paid?"'
