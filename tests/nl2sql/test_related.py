"""Questions over several related tables: right, or declined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry, table_entry
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.related.deciding import RelatedDecision, decide_related
from polyrag_cli.nl2sql.related.readings import related_readings
from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.nl2sql.tying import tied
from polyrag_cli.providers.use_m3 import UseM3Embedder
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.sql_guard import check
from polyrag_cli.tables import typed_tables
from polyrag_cli.tables.relations import relations_of
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Relation, Rows
from tests.nl2sql import related_databases as given
from tests.nl2sql.tables import MemoryStore, raw

SETS = {
    "shop": (given.SHOP, ",", given.SHOP_ANSWERS, given.SHOP_DECLINED),
    "library": (given.LIBRARY, ",", given.LIBRARY_ANSWERS, given.LIBRARY_DECLINED),
    "school": (given.SCHOOL, ";", given.SCHOOL_ANSWERS, given.SCHOOL_DECLINED),
    "clinic": (given.CLINIC, ";", given.CLINIC_ANSWERS, given.CLINIC_DECLINED),
}
ANSWERED = [(name, question) for name, (_, _, answers, _) in SETS.items() for question in answers]
DECLINED = [(name, question) for name, (_, _, _, declined) in SETS.items() for question in declined]


class Database:
    def __init__(self, tables: Sequence[TypedTable]) -> None:
        self.store = MemoryStore(tables)
        self.schemas = self.store.schemas(None)
        self.entries: list[TableEntry] = [table_entry(schema) for schema in self.schemas]
        self.relations: tuple[Relation, ...] = relations_of(self.schemas)
        self.index = SchemaIndex(self.schemas)
        self.ties = tied(self.entries, self.relations)

    def run(self, sql: str, tables: Sequence[str]) -> Rows:
        return self.store.execute(None, sql)

    def decide(self, question: str, similar: WordSimilarity | None) -> RelatedDecision:
        return decide_related(take_apart(read(question)), self.index, self.ties, similar, self.run)


@cache
def database(name: str) -> Database:
    tables, separator, _, _ = SETS[name]
    typed = [t for table, text in tables.items() for t in typed_tables([raw(table, text, separator)], f"{table}.csv")]
    return Database(typed)


@pytest.fixture(scope="module")
def similar(model: Path) -> WordSimilarity:
    return WordSimilarity(UseM3Embedder(model, threads=1).embed)


def rounded(rows: Sequence[Sequence[object]]) -> list[tuple[object, ...]]:
    return sorted((tuple(round(c, 4) if isinstance(c, float) else c for c in row) for row in rows), key=repr)


@pytest.mark.parametrize(("name", "question"), ANSWERED)
def test_answers(name: str, question: str, similar: WordSimilarity) -> None:
    answer = database(name).decide(question, similar).answer
    assert answer is not None, "declined"
    assert rounded(answer.rows.rows) == rounded(SETS[name][2][question])


@pytest.mark.parametrize(("name", "question"), DECLINED)
def test_declines(name: str, question: str, similar: WordSimilarity) -> None:
    answer = database(name).decide(question, similar).answer
    assert answer is None, answer.sql


def test_statements_read_no_table_but_those_they_name(similar: WordSimilarity) -> None:
    shop = database("shop")
    for question in given.SHOP_ANSWERS:
        for candidate in shop.decide(question, similar).candidates:
            used = [schema for schema in shop.schemas if schema.name in candidate.tables]
            columns = {schema.name: [column.name for column in schema.columns] for schema in used}
            check(candidate.sql, columns)


def test_an_answer_is_stated_in_words(similar: WordSimilarity) -> None:
    def stated(name: str, question: str, language: str) -> str:
        answer = database(name).decide(question, similar).answer
        assert answer is not None
        return answer.reading.state(Speaker(answer.reading.table.schema, language), answer.rows)

    assert stated("shop", "Which customers live in Porto?", "en") == "Ana Souza; Dinis Faria"
    assert stated("shop", "How many customers have no orders?", "en") == "1"
    assert stated("school", "Qual é a nota média em Cálculo?", "pt") == "7,83 (média de nota)"
    assert stated("library", "Number of loans per member", "en").startswith("Lena Fox: 3; Alice Reed: 2")


def test_what_is_said_of_rows_one_after_the_other_is_said_of_the_same(similar: WordSimilarity) -> None:
    # Ana ordered the lamp in January, and something else in February.
    answer = database("shop").decide("Which customers ordered the Desk lamp in February 2024?", similar)
    assert answer.answer is None or answer.answer.rows.rows == ()


def test_unrelated_tables_are_not_read() -> None:
    shop = database("shop")
    question = take_apart(read("Which customers live in Porto?"))
    assert list(related_readings(question, shop.index, tied(shop.entries, ()), None)) == []
    alone = [r for r in shop.relations if r.table == "orders"]
    assert tied(shop.entries, alone).groups == (("customers", "orders"),)


def test_the_answer_does_not_depend_on_the_order_of_the_tables(similar: WordSimilarity) -> None:
    shop = database("shop")
    question = take_apart(read("Which customers ordered the Oak table?"))
    turned = SchemaIndex(shop.schemas[::-1])
    forwards = decide_related(question, shop.index, shop.ties, similar, shop.run)
    backwards = decide_related(question, turned, tied(shop.entries[::-1], shop.relations), similar, shop.run)
    assert [c.sql for c in forwards.candidates] == [c.sql for c in backwards.candidates]
