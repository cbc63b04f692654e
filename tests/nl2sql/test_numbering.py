"""Whole numbers that number or name rows are no quantities, however they run."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.lexicon import lexicon
from polyrag_cli.nl2sql.numbering import Surroundings, counts_up, numbers_things
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

VISITS = "Consulta;Data;Médico;Situação;Valor (R$)\n" + "\n".join(
    f"{i};{1 + i % 28:02}/{1 + i % 3:02}/2024;{('Ana Luz', 'Rui Sá')[i % 3 == 0]};"
    f"{('realizada', 'cancelada')[i % 4 == 0]};{100 + i},00"
    for i in range(1, 25)
)
DOCTORS = "Médico;Valor da consulta;Admissão\nAna Luz;300;2014-02-03\nRui Sá;200;2018-08-20"
SPEECHES = "president,president_name,title\n" + "\n".join(
    f"{40 + i % 3},{('Ada Moss', 'Bo Sand', 'Cy Lunt')[i % 3]},Address {i}" for i in (0, 1, 1, 1, 2, 2)
)
PATIENTS = """
Prontuário;Paciente;Nascimento
2001;Ana Reis;12/05/1980
2002;Bia Leal;03/02/1951
2003;Caio Dias;21/08/1999
""".strip()
STORE = MemoryStore(
    [
        *typed_tables([raw("consultas_2024", VISITS, ";")], "consultas_2024.csv"),
        *typed_tables([raw("medicos", DOCTORS, ";")], "medicos.csv"),
        *typed_tables([raw("pacientes", PATIENTS, ";")], "pacientes.csv"),
        *typed_tables([raw("speeches", SPEECHES, ",")], "speeches.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        # 1 to 24, of which each fourth is cancelled and each third is of Rui Sá.
        ("pt", "Quantas consultas foram realizadas?", "18 (18 de 24 linhas)"),
        ("pt", "Quantas consultas foram canceladas?", "6 (6 de 24 linhas)"),
        ("pt", "Qual médico teve mais consultas?", "Ana Luz: 16 (maior linhas contadas)"),
        ("pt", "Quem fez mais consultas, Ana Luz ou Rui Sá?", "Ana Luz: 16; Rui Sá: 8 (linhas contadas)"),
        ("pt", "Que porcentagem das consultas foi cancelada?", "25% (6 de 24, linhas contadas)"),
        ("pt", "Qual é o paciente mais velho?", "Bia Leal: 03/02/1951 (menor Nascimento)"),
        ("en", "Which president gave the most speeches?", "Bo Sand: 3 (highest rows counted)"),
    ],
)
def test_numbers_of_rows_are_not_added_up(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


def test_what_a_thing_is_worth_is_no_number_of_it() -> None:
    store = MemoryStore(typed_tables([raw("medicos", DOCTORS, ";")], "medicos.csv"))
    index = SchemaIndex(store.schemas(None))

    # The fee of a visit says nothing of how many there were.
    assert outcome_of("pt", "Qual médico teve mais consultas?", index, store).chosen is None
    assert outcome_of("pt", "Quantas consultas houve?", index, store).chosen is None
    assert line_of("pt", "Qual médico tem o maior valor da consulta?", index, store).startswith("Ana Luz: 300")


def test_running_numbers_leave_hardly_a_gap() -> None:
    assert counts_up([1, 2, 3, 5], set())
    assert not counts_up([1, 2, 30], set())
    assert not counts_up([1, 2, 2], set())
    assert not counts_up([3, 2, 1], set())
    assert not counts_up([1, 2], set())
    assert not counts_up([1, 2, 3], {"age"})


def test_what_rows_are_called_numbers_them() -> None:
    known = lexicon("en")
    orders = Surroundings(frozenset({"orders"}), frozenset(), (("order",), ("amount",)))
    assert numbers_things(("order",), True, orders, known)
    assert not numbers_things(("order",), False, orders, known)
    assert not numbers_things(("amount",), True, orders, known)
    # A table called as its quantity is holds a quantity.
    assert not numbers_things(("stock",), True, Surroundings(frozenset({"stock"}), frozenset(), ()), known)
    named = Surroundings(frozenset(), frozenset(), (("president",), ("president", "name")))
    assert numbers_things(("president",), False, named, known)
    assert not numbers_things(("president", "year"), False, named, known)


def test_a_quantity_may_be_called_as_its_table() -> None:
    tolls = "place;toll\nWestmark;4\nEastholm;9\nNorthby;2\nSouthby;14"
    store = MemoryStore(typed_tables([raw("tolls", tolls, ";")], "tolls.csv"))
    index = SchemaIndex(store.schemas(None))
    assert line_of("en", "Which place has the highest toll?", index, store) == "Southby: 14 (highest toll)"
