from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.nl2sql.tying import tied
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.text_to_sql import TextToSQLStrategy
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Retrieval
from tests.nl2sql.tables import MemoryStore, raw, typed


def retrieve(
    question: str, language: str = "pt", store: Any = None, strategy: TextToSQLStrategy | None = None
) -> Retrieval:
    stores = SimpleNamespace(relational=store or MemoryStore(typed()), labels=None, table_words=None)
    context = Context(
        snapshot=cast(Any, SimpleNamespace(generation=1, commit=str(id(stores)))),
        stores=cast(Any, stores),
        embedder=cast(Any, SimpleNamespace(dimension=0)),
        relations=cast(
            Any,
            SimpleNamespace(ties=lambda stores, snapshot, index: tied(index.named(set()), ()), leading=lambda *_: ()),
        ),
    )
    query = Query(read(question, language), np.zeros(0, dtype=np.float32))
    return (strategy or TextToSQLStrategy()).retrieve(query, cast(Any, None), context)


def test_rows_statement_table_and_answer() -> None:
    found = retrieve("Qual o valor total dos pedidos de Natal?")
    assert found.answer == "R$ 4.105,00 (soma de valor, 3 de 8 linhas)"
    assert found.rows is not None and found.table is not None
    assert found.rows.rows == ((4105.0,),)
    assert found.rows.sql == "SELECT SUM(valor) FROM pedidos WHERE cidade = 'Natal'"
    assert found.table.name == "pedidos"


def test_a_declined_question_finds_nothing_and_says_why() -> None:
    found = retrieve("Quantos pedidos foram cancelados?")
    assert (found.rows, found.answer) == (None, None)
    assert found.warnings == ("no SQL: no column or value explains “cancelados”",)


@pytest.mark.parametrize("question", ["Qual o valor total em dezembro?", "Quem fez o pedido 9999?"])
def test_no_matching_row_is_no_answer(question: str) -> None:
    found = retrieve(question)
    assert (found.rows, found.answer) == (None, None)
    assert found.warnings == ("no row of pedidos matches",)


PRICES = """
codigo;ferramenta;preco_cheio;preco_socio
F1;furadeira;900;810
F2;serra;700;640
F3;lanterna;80;{}
F4;martelo;95;76
""".strip()


def priced(club_price: str) -> MemoryStore:
    return MemoryStore(typed_tables([raw("ferramentas", PRICES.format(club_price), ";")], "ferramentas.csv"))


def test_plans_that_fit_alike_answer_when_they_agree() -> None:
    found = retrieve("Qual a ferramenta mais barata?", store=priced("70"))
    assert found.answer == "lanterna: 80 (menor preco_cheio)"
    contested = retrieve("Qual a ferramenta mais barata?", store=priced("78"))
    assert (contested.rows, contested.answer) == (None, None)
    assert contested.warnings == (
        "no SQL: two readings fit alike (margin 0.000): “lanterna” (preco_cheio) or “martelo” (preco_socio)",
    )


def test_a_failing_store_degrades() -> None:
    class Failing(MemoryStore):
        def execute(self, *_: object, **__: object) -> Any:
            raise StoreError("The statement took too long.")

    found = retrieve("Qual o valor total dos pedidos de Natal?", store=Failing(typed()))
    assert (found.rows, found.answer) == (None, None)
    assert found.degraded == "The statement took too long."
    assert found.warnings == ("SQL failed: The statement took too long.",)


def test_tables_that_answer_as_well_are_named() -> None:
    tables = typed()
    twin = tables[0].__class__("pedidos_b", *(getattr(tables[0], f) for f in ("label", "columns", "cells", "source")))
    found = retrieve("Qual o valor total de Natal?", store=MemoryStore([*tables, twin]))
    assert found.table is not None and found.table.name == "pedidos"
    assert found.warnings == ("answered by pedidos_b as well",)


def test_tables_that_answer_differently_give_no_answer() -> None:
    tables = typed()
    cells = tuple(column[:-1] for column in tables[0].cells)
    other = tables[0].__class__("pedidos_b", tables[0].label, tables[0].columns, cells, tables[0].source)
    found = retrieve("Qual o valor total de Natal?", store=MemoryStore([*tables, other]))
    assert (found.rows, found.answer) == (None, None)
    assert found.warnings == ("no SQL: pedidos and pedidos_b answer differently; name one",)


def test_several_rows_are_no_answer_to_the_only_one() -> None:
    assert retrieve("What is the only name in Support?", "en").warnings == ("no SQL: 2 answers where one is asked",)
    assert retrieve("What is the only client in Olinda?", "en").answer == "Padaria Aurora"


def test_the_index_follows_the_tables() -> None:
    strategy = TextToSQLStrategy()
    assert retrieve("Qual o salário de Ada Moss?", store=MemoryStore(typed()[:1]), strategy=strategy).rows is None
    assert retrieve("Qual o salário de Ada Moss?", strategy=strategy).answer == "5.200 (soma de Salary, 1 de 7 linhas)"
