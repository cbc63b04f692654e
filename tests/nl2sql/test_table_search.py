"""Reading only the tables that share something with a question gives what reading every table gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.nl2sql import evidence, ranking
from polyrag_cli.nl2sql.evidence import table_evidence
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.linking import Links, link
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import AskedWord, Question, take_apart
from polyrag_cli.nl2sql.ranking import plan_question
from polyrag_cli.nl2sql.similarity import Similar, WordSimilarity
from polyrag_cli.nl2sql.table_search import reached
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import TableSchema
from tests.command_line import ROOT
from tests.nl2sql import test_domains, test_everyday, test_questions, test_trades
from tests.nl2sql.domains import domain_tables
from tests.nl2sql.tables import raw, schema_of, typed

QUESTIONS: list[tuple[str, str]] = [
    *((question, language) for language, question, *_ in test_domains.ANSWERED),
    *((question, language) for language, question, *_ in test_questions.ANSWERED),
    *((question, language) for language, question, *_ in (*test_everyday.ANSWERED, *test_trades.ANSWERED)),
    *((q, language) for language, q in (*test_domains.DECLINED, *test_everyday.DECLINED, *test_questions.DECLINED)),
]
SCHEMAS = [
    *(schema_of(table) for table in (*typed(), *domain_tables())),
    *test_everyday.STORE.schemas(None),
    *test_trades.STORE.schemas(None),
]
UNKNOWN = "Zumbarel"


def _asked() -> list[tuple[str, str]]:
    """The questions of this folder's tests and of the development set; then some of them with a name that no table
    holds, denied, and without capitals.
    """
    found = QUESTIONS + [(item.question, "pt") for item in load_set(ROOT / "eval" / "golden.yaml")]
    for text, language in found[::5]:
        words = text.split()
        found.append((" ".join([*words[:-1], UNKNOWN]), language))
        found.append((" ".join([*words[:2], "não" if language == "pt" else "not", *words[2:]]), language))
        found.append((text.lower(), language))
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def schemas(demo_data: Path) -> tuple[TableSchema, ...]:
    with Engine.open(data_dir=demo_data) as engine, engine.snapshot() as snapshot:
        demo = engine.stores.relational.schemas(snapshot)
    return tuple(replace(schema, name=f"{i:02}_{schema.name}") for i, schema in enumerate([*demo, *SCHEMAS]))


def _read_all(monkeypatch: pytest.MonkeyPatch, tables: int) -> None:
    def names(question: Question, postings: Postings) -> Iterator[tuple[int, int, Sequence[int]]]:
        for first in range(len(question.tokens)):
            for length in range(len(question.tokens) - first, 0, -1):
                held = postings.whole.get(tuple(t.folded for t in question.tokens[first : first + length]), [])
                yield first, length, held

    def all_tables(token: AskedWord, dated: bool, postings: Postings) -> list[int]:
        return list(range(tables))

    def all_reached(question: Question, postings: Postings) -> list[tuple[int, int]]:
        return [(0, position) for position in range(tables)]

    monkeypatch.setattr(evidence, "whole_names", names)
    monkeypatch.setattr(evidence, "explaining", all_tables)
    monkeypatch.setattr(ranking, "reached", all_reached)


def _compare(
    asked: Sequence[tuple[str, str]], schemas: tuple[TableSchema, ...], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """Compare both readings of each question; how many were answered, and how many tables were left unread."""
    similar = WordSimilarity(HashingEmbedder().embed)
    index, every = SchemaIndex(schemas), SchemaIndex(schemas)
    shared = [(plan_question(read(q[0], q[1]), index, similar), table_evidence(read(q[0], q[1]), index)) for q in asked]
    unread = sum(len(schemas) - len(reached(take_apart(read(*q)), index.postings)) for q in asked)
    _read_all(monkeypatch, len(schemas))
    for question, (plan, found) in zip(asked, shared, strict=True):
        assert plan == plan_question(read(question[0], question[1]), every, similar), question
        assert found == table_evidence(read(question[0], question[1]), every), question
    return sum(plan.plan is not None for plan, _ in shared), unread


def test_it_gives_what_reading_every_table_gives(
    schemas: tuple[TableSchema, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, unread = _compare(_asked()[::7], schemas, monkeypatch)
    assert answered > 10
    assert unread > 100


@pytest.mark.parametrize(("every", "least"), [(6, 150), pytest.param(1, 1000, marks=pytest.mark.long)])
def test_every_table_with_a_link_is_reached_and_lacks_no_name_that_is_linked(every: int, least: int) -> None:
    index = SchemaIndex(SCHEMAS)
    linked = 0
    for text, language in _asked()[::every]:
        question = take_apart(read(text, language))
        lacking = {position: count for count, position in reached(question, index.postings)}
        names = [i for i in question.content() if i and question.tokens[i].capital]
        for position, table in enumerate(index.tables):
            links = link(question, table)
            words = {i for column in links.columns for i in column.tokens} | set(links.label)
            words |= {i for value in links.values for i in value.tokens}
            if words:
                linked += 1
                assert position in lacking, (text, table.schema.name)
                assert lacking[position] <= len(set(names) - words), (text, table.schema.name)
    assert linked > least


@pytest.mark.parametrize(
    ("language", "text", "table"),
    [
        ("pt", "Como é a clientela?", "pedidos"),  # by spelling
        ("en", "Where are the clients?", "pedidos"),  # by notion
        ("pt", "E as eólicas?", "energia_2024"),  # by an inflected cell
        ("en", "Who knows Ada Moss?", "staff"),  # by a whole cell
        ("pt", "Onde fica a Dunn?", "staff"),  # by a word of a cell
        ("pt", "Qual o mês?", "staff"),  # by a part of its only dates
        ("pt", "Que energias há?", "energia_2024"),  # by its name
        ("pt", "Quanto vendeu?", "pedidos"),  # by its money
    ],
)
def test_a_table_is_reached_by_whatever_links_it(language: str, text: str, table: str) -> None:
    index = SchemaIndex([schema_of(one) for one in typed()])
    question = take_apart(read(text, language))
    assert link(question, index.by_name[table]) != Links((), (), ())
    assert table in {index.tables[position].schema.name for _, position in reached(question, index.postings)}


@pytest.mark.long
def test_it_gives_what_reading_every_table_gives_for_all_questions(
    schemas: tuple[TableSchema, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, unread = _compare(_asked(), schemas, monkeypatch)
    assert answered > 100
    assert unread > 1000


MANY = tuple(
    schema_of(table)
    for number in range(30)
    for table in typed_tables(
        [raw(f"caderno_{number:02}", f"posto;litros\nVila {chr(65 + number % 26)}{number};{number}\nFoz;7", ";")],
        f"caderno_{number:02}.csv",
    )
)


def test_tables_that_lack_a_name_are_left_unread_once_one_that_has_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[str] = []

    def counting(question: Question, table: TableEntry, similar: Similar | None = None) -> Links:
        met.append(table.schema.name)
        return link(question, table, similar)

    monkeypatch.setattr(ranking, "link", counting)
    plan = plan_question(read("Quantos litros teve o posto Vila C2?", "pt"), MANY).plan
    assert plan is not None
    assert met == [plan.table] == ["caderno_02"]


def test_a_name_that_no_table_holds_leaves_none_out() -> None:
    found = reached(take_apart(read("Quantos litros teve o posto Zumbarel?", "pt")), SchemaIndex(MANY).postings)
    assert found == [(1, position) for position in range(len(MANY))]


def test_a_question_that_shares_nothing_reaches_no_table() -> None:
    assert reached(take_apart(read("Who wrote the rules?", "en")), SchemaIndex(MANY).postings) == []
