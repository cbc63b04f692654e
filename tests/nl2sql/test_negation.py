"""Questions that deny something, over invented tables; every figure is worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.outcomes import Outcome
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import answered, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

REPAIRS = """
repair,opened,team,agent,resolved,insured,hours
T1,2024-01-03,Network,Ann Lee,yes,no,4
T2,2024-01-09,Desktop,Bo Diaz,no,no,7
T3,2024-02-11,Network,Ann Lee,yes,yes,2
T4,2024-02-15,Billing,Cy Park,no,yes,9
T5,2024-03-21,Desktop,Bo Diaz,yes,no,5
""".strip()

MACHINES = """
maquina;setor;cidade;ativa;nao_quitada;custo
Torno A;Usinagem;Recife;sim;sim;500
Torno B;Usinagem;Olinda;não;não;450
Prensa C;Estamparia;Recife;sim;não;900
Forno D;Fundição;Natal;não;não;1200
""".strip()

ROOMS = """
room,hotel,non_refundable,unfurnished,discount
R1,Sol,yes,no,3
R2,Mar,no,no,0
R3,Sol,no,yes,5
R4,Lua,no,yes,2
""".strip()

SALES = """
data;vendedor;cidade;produto;faturamento
2025-03-02;Bruno Sá;Recife;Café;100
2025-03-09;Ana Reis;Olinda;Chá;100
2025-03-15;Bruno Sá;São Paulo;Café;250
2025-02-10;Ana Reis;São Paulo;Açúcar;400
2025-01-11;Bruno Sá;São Paulo;Chá;320
2025-04-20;Ana Reis;São Paulo;Café;90
""".strip()

MEMBERS = """
member,plan,state
M1,Gold,inactive
M2,Silver,active
M3,Gold,active
M4,Silver,suspended
""".strip()

SOURCES = (("repairs", REPAIRS), ("maquinas", MACHINES), ("rooms", ROOMS), ("vendas", SALES), ("members", MEMBERS))
TABLES = typed_tables([raw(name, text, ";" if ";" in text else ",") for name, text in SOURCES], "all.csv")
STORE = MemoryStore(TABLES)
INDEX = SchemaIndex(STORE.schemas(None))
SCHEMAS = {schema.name: schema for schema in STORE.schemas(None)}

COUNTED = [
    # prefixes, on a column of yes and no, in both directions
    ("en", "How many repairs are unresolved?", 2),
    ("en", "How many repairs are not unresolved?", 3),
    ("en", "How many repairs by Network are unresolved?", 0),
    ("en", "How many uninsured repairs are there?", 3),
    ("pt", "Quantas máquinas inativas?", 2),
    ("pt", "Quantas máquinas inativas em Olinda?", 1),
    ("en", "How many rooms are furnished?", 2),
    ("en", "How many rooms are unfurnished?", 2),
    # a label that denies
    ("en", "How many rooms are refundable?", 3),
    ("en", "How many rooms are non-refundable?", 1),
    ("en", "How many rooms are not refundable?", 1),
    ("pt", "Quantas máquinas estão quitadas?", 3),
    ("pt", "Quantas máquinas estão por quitar?", 1),
    ("pt", "Quantas máquinas não quitadas?", 1),
    # contractions
    ("en", "How many repairs weren't resolved?", 2),
    ("en", "How many repairs haven't been resolved?", 2),
    ("en", "How many repairs aren't from Network?", 3),
    ("en", "How many repairs arent insured?", 3),
    # a negation at the value
    ("en", "How many repairs are not in Network or Billing?", 2),
    ("en", "How many repairs are neither in Network nor in Billing?", 2),
    ("en", "How many repairs other than Network are there?", 3),
    ("en", "How many repairs were there, not counting Network?", 3),
    ("pt", "Quantas máquinas não são de Recife?", 2),
    ("pt", "Quantas máquinas fora de Recife?", 2),
    ("pt", "Quantas máquinas não são de Recife nem de Natal?", 1),
    ("pt", "Quantas máquinas não são da cidade de Recife?", 2),
    ("en", "How many members are inactive?", 1),
    ("en", "How many members aren't inactive?", 3),
    ("en", "How many members are non-Gold?", 2),
]

DECLINED = [
    # another word, or an opposite that no column or value states
    ("en", "How many repairs were reinsured?", "reinsured"),
    ("en", "How many members are unsuspended?", "unsuspended"),
    ("en", "How many un-resolved repairs are there?", "un"),
    ("pt", "Quantas revendas em Olinda?", "revendas"),
    # a negated verb
    ("pt", "Quanto Bruno Sá não vendeu em Recife?", "não"),
    ("pt", "Quantas vendas não aconteceram em Recife?", "não"),
    ("pt", "Quais cidades não venderam Café?", "não"),
    ("en", "How many sales were not sold in Recife?", "not"),
    ("en", "How many sales didn't happen in Recife?", "didn't"),
    ("en", "How many sales were never made in Recife?", "never"),
]


@pytest.mark.parametrize(("language", "question", "figure"), COUNTED)
def test_a_negation_turns_round_what_it_stands_at(language: str, question: str, figure: int) -> None:
    assert answered(language, question, INDEX, STORE).rows.rows[0][0] == figure


@pytest.mark.parametrize(("language", "question", "word"), DECLINED)
def test_what_cannot_be_turned_round_is_declined(language: str, question: str, word: str) -> None:
    outcome = outcome_of(language, question, INDEX, STORE)
    assert outcome.chosen is None, outcome.chosen.sql
    assert word in outcome.reason


_AXES = {
    "insured": (1.0, 0.0),
    "segurado": (0.9, 0.436),
    "unsegurado": (0.75, 0.661),
    "resegurado": (0.75, 0.661),
    "interrado": (0.9, 0.436),
    "terrado": (0.1, 0.995),
}


def _similar(words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float32]:
    """Place a few words beside "insured", and everything else at right angles to it."""
    a, b = (np.array([_AXES.get(w, (0.0, 0.0)) for w in texts], dtype=np.float32) for texts in (words, labels))
    product: NDArray[np.float32] = a @ b.T
    return product


def _by_meaning(word: str) -> Outcome:
    return outcome_of("pt", f"Quantos consertos são {word}?", INDEX, STORE, _similar)


def test_a_prefix_counts_where_what_is_left_is_as_near_in_meaning() -> None:
    for word, held in (("segurado", True), ("unsegurado", False), ("interrado", True)):
        chosen = _by_meaning(word).chosen
        assert chosen is not None
        conditions = [c for restriction in chosen.reading.scope.chosen for c in restriction.conditions]
        assert [(c.column, c.values) for c in conditions] == [("insured", (held,))]
    assert _by_meaning("resegurado").chosen is None


def test_amounts_that_rows_have_alike_are_all_listed() -> None:
    rows = answered("pt", "liste o faturamento de março de 2025", INDEX, STORE).rows.rows
    assert [row[0] for row in rows] == [100, 100, 250]


def test_the_largest_of_rows_without_a_name_are_shown_with_what_tells_them_apart() -> None:
    rows = answered("en", "List the three biggest sales in São Paulo", INDEX, STORE).rows.rows
    assert [row[-1] for row in rows] == [400, 320, 250]
    assert len(rows[0]) > 1


def test_numbers_of_a_known_quantity_are_no_numbering() -> None:
    assert {c.column.name: c.role for c in next(t for t in INDEX.tables if t.schema.name == "rooms").columns}[
        "discount"
    ] == "measure"
