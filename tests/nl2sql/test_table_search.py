"""Reading only the tables that share something with a question gives what reading every table gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from polyrag_cli.datasets import load_set
from polyrag_cli.nl2sql import deciding, evidence, outcomes
from polyrag_cli.nl2sql.chart import Reading, readings
from polyrag_cli.nl2sql.evidence import table_evidence
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.linking import Links, link
from polyrag_cli.nl2sql.outcomes import Outcome, answer_question
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import AskedWord, Question, take_apart
from polyrag_cli.nl2sql.similarity import Similar, WordSimilarity
from polyrag_cli.nl2sql.table_search import reached
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Rows
from tests.command_line import ROOT
from tests.nl2sql import test_domains, test_everyday, test_questions, test_trades
from tests.nl2sql.answers import answered
from tests.nl2sql.tables import MemoryStore, raw, schema_of, typed

QUESTIONS: list[tuple[str, str]] = [
    *((question, language) for language, question, *_ in test_domains.ANSWERED),
    *((question, language) for language, question, *_ in test_questions.ANSWERED),
    *((question, language) for language, question, *_ in (*test_everyday.ANSWERED, *test_trades.ANSWERED)),
    *((q, language) for language, q in (*test_domains.DECLINED, *test_everyday.DECLINED, *test_questions.DECLINED)),
]
STORES = {
    schema.name: store
    for store in (test_trades.STORE, test_everyday.STORE, test_domains.STORE, test_questions.STORE)
    for schema in store.schemas(None)
}
SCHEMAS = [next(s for s in store.schemas(None) if s.name == name) for name, store in sorted(STORES.items())]
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


def _read_all(monkeypatch: pytest.MonkeyPatch, tables: int) -> None:
    def names(question: Question, postings: Postings) -> Iterator[tuple[int, int, Sequence[int]]]:
        for first in range(len(question.tokens)):
            for length in range(len(question.tokens) - first, 0, -1):
                held = postings.whole(tuple(t.folded for t in question.tokens[first : first + length]))
                yield first, length, held

    def all_tables(token: AskedWord, dated: bool, postings: Postings) -> list[int]:
        return list(range(tables))

    monkeypatch.setattr(evidence, "whole_names", names)
    monkeypatch.setattr(evidence, "explaining", all_tables)
    monkeypatch.setattr(outcomes, "tables_of", lambda question, index: index.tables)


def _run(sql: str, table: str) -> Rows:
    return STORES[table].execute(None, sql)


def _answer(outcome: Outcome) -> tuple[str, Rows] | None:
    """What answers; of what is declined, tables that share little say why in other words."""
    return (outcome.chosen.sql, outcome.chosen.rows) if outcome.chosen is not None else None


def _compare(asked: Sequence[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Compare both ways to read each question; how many were answered, and how many tables were left unread."""
    similar = WordSimilarity(HashingEmbedder().embed)
    index, every = SchemaIndex(SCHEMAS), SchemaIndex(SCHEMAS)
    shared = [(answer_question(read(*q), index, similar, _run), table_evidence(read(*q), index)) for q in asked]
    unread = sum(len(SCHEMAS) - len(reached(take_apart(read(*q)), index.postings)) for q in asked)
    _read_all(monkeypatch, len(SCHEMAS))
    for question, (outcome, found) in zip(asked, shared, strict=True):
        assert _answer(outcome) == _answer(answer_question(read(*question), every, similar, _run)), question
        assert found == table_evidence(read(*question), every), question
    return sum(outcome.chosen is not None for outcome, _ in shared), unread


def test_it_gives_what_reading_every_table_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, unread = _compare(_asked()[::17], monkeypatch)
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
    entry = next(entry for entry in index.tables if entry.schema.name == table)
    assert link(question, entry) != Links((), (), ())
    assert table in {index.tables[position].schema.name for _, position in reached(question, index.postings)}


@pytest.mark.long
def test_it_gives_what_reading_every_table_gives_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, unread = _compare(_asked(), monkeypatch)
    assert answered > 100
    assert unread > 1000


MANY = [
    table
    for number in range(30)
    for table in typed_tables(
        [raw(f"caderno_{number:02}", f"posto;litros\nVila {chr(65 + number % 26)}{number};{number}\nFoz;7", ";")],
        f"caderno_{number:02}.csv",
    )
]
MANY_INDEX = SchemaIndex([schema_of(table) for table in MANY])


def test_the_table_that_has_a_name_is_read_first_and_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[str] = []

    def counting(question: Question, table: TableEntry, similar: Similar | None) -> list[Reading]:
        met.append(table.schema.name)
        return readings(question, table, similar)

    monkeypatch.setattr(deciding, "readings", counting)
    chosen = answered("pt", "Quantos litros teve o posto Vila C2?", MANY_INDEX, MemoryStore(MANY))
    assert met[0] == chosen.table.schema.name == "caderno_02"
    assert len(met) <= 12


def test_a_name_that_no_table_holds_leaves_none_out() -> None:
    found = reached(take_apart(read("Quantos litros teve o posto Zumbarel?", "pt")), MANY_INDEX.postings)
    assert found == [(1, position) for position in range(len(MANY))]


def test_a_question_that_shares_nothing_reaches_no_table() -> None:
    assert reached(take_apart(read("Who wrote the rules?", "en")), MANY_INDEX.postings) == []
