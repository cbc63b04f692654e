"""How tables hang together: read table by table it says what it says as a whole, and no table is read in vain."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.kept_ties import CommitTies, KeptTies, packed
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.deciding import RelatedDecision, decide_related
from polyrag_cli.nl2sql.ties import Hop, MemoryTies, Path, Ties
from polyrag_cli.nl2sql.tying import groups, tied
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables import typed_tables
from polyrag_cli.tables.relations import relations_of
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Relation, Rows
from tests.nl2sql.tables import MemoryStore, raw

REGIONS = ("North", "South", "East", "West")
ASKED = (
    "Which customers live in North?",
    "How many orders did customer 2003 place?",
    "Which region has the most customers?",
    "Who manages South?",
    "How many orders are there per region?",
    "Which product was ordered most?",
    "When was the most expensive order?",
    "Where do customers of the gold tier live?",
    "Which customers have no orders?",
    "How many gold customers ordered a Lamp 3?",
    "What is the average amount of orders from West?",
)


def _tables(seed: int, branches: int = 4) -> list[TypedTable]:
    """Customers, products, orders and staff of some branches, with shared regions and shared names of products."""
    rng = random.Random(seed)
    files = {"regions": ["Region,Manager", *(f"{r},Manager {n}" for n, r in enumerate(REGIONS))]}
    for n in range(1, branches + 1):
        ids = range(1000 * n, 1000 * n + 8)
        products = [f"{kind} {n % 2 + 2}" for kind in ("Lamp", "Chair", "Desk", "Shelf")]
        files[f"customers_{n}"] = ["Customer ID,Name,Region,Tier"] + [
            f"{i},Ann{i} Bo{i},{rng.choice(REGIONS)},{rng.choice(('gold', 'basic'))}" for i in ids
        ]
        files[f"products_{n}"] = ["Product,Price"] + [f"{p},{rng.randrange(5, 99)}.5" for p in products]
        files[f"orders_{n}"] = ["Order ID,Customer ID,Product,Amount,Date"] + [
            f"{9000 * n + i},{rng.choice(ids)},{rng.choice(products)},{rng.randrange(5, 500)},2024-0{i % 9 + 1}-11"
            for i in range(15)
        ]
        files[f"staff_{n}"] = ["Employee ID,Employee,Manager ID,Region"] + [
            f"{i},Eve{i} Low{i},{100 * n + i % 3},{rng.choice(REGIONS)}" for i in range(100 * n, 100 * n + 9)
        ]
    return [t for name, lines in files.items() for t in typed_tables([raw(name, "\n".join(lines), ",")], f"{name}.csv")]


class Corpus:
    def __init__(self, seed: int) -> None:
        self.store = MemoryStore(_tables(seed))
        self.index = SchemaIndex(self.store.schemas(None))
        self.relations = relations_of(self.store.schemas(None))
        self.whole = tied(self.index.tables, self.relations)
        self.parts = packed(self.whole)

    def kept(self) -> KeptTies:
        commit = CommitTies.of(self.parts.get)
        assert commit is not None
        return KeptTies(commit, self.parts.get)

    def decide(self, question: str, ties: Ties, index: SchemaIndex | None = None) -> RelatedDecision:
        def run(sql: str, tables: Sequence[str]) -> Rows:
            return self.store.execute(None, sql)

        return decide_related(take_apart(read(question)), index or self.index, ties, None, run)


@lru_cache
def corpus(seed: int) -> Corpus:
    return Corpus(seed)


@pytest.mark.parametrize("seed", range(6))
def test_read_table_by_table_it_gives_the_same_answers(seed: int) -> None:
    made = corpus(seed)
    assert len(made.whole.groups[0]) > 10
    for question in ASKED:
        whole, kept = made.decide(question, made.whole), made.decide(question, made.kept())
        assert [(c.sql, c.total, c.tables, c.rows) for c in whole.candidates] == [
            (c.sql, c.total, c.tables, c.rows) for c in kept.candidates
        ], question
        assert (whole.margin, whole.confidence) == (kept.margin, kept.confidence)


def test_some_of_these_questions_are_answered() -> None:
    found = [corpus(seed).decide(question, corpus(seed).whole) for seed in range(6) for question in ASKED]
    assert sum(bool(each.candidates) for each in found) > 20


def test_what_is_kept_is_what_was_worked_out() -> None:
    made = corpus(0)
    kept = made.kept()
    assert tuple(kept.groups) == made.whole.groups
    for names in made.whole.groups:
        assert kept.group(names) == made.whole.group(names)
        assert list(kept.group(names).named) == list(made.whole.group(names).named)
        for name in names:
            assert kept.table(name) == made.whole.table(name)


def test_only_the_tables_that_a_question_is_about_are_read() -> None:
    made = corpus(0)
    opened: set[int] = set()

    class Tables(Sequence[TableEntry]):
        def __len__(self) -> int:
            return len(made.index.tables)

        def __getitem__(self, place: int) -> TableEntry:  # type: ignore[override]
            opened.add(place)
            return made.index.tables[place]

    index = SchemaIndex(made.store.schemas(None))
    index.tables = Tables()
    made.decide("Which customers live in North?", made.kept(), index)
    assert 0 < len(opened) <= 10 < len(made.index.tables)


# ---------------------------------------------------------------- ways
def _every_way(database: Database, table: str, other: str, done: Path = ()) -> Iterator[Path]:
    """All ways, as their definition says."""
    for hop in database.hops(table):
        rising = any(h.up and not h.single for h in done)
        if done and (hop.referring == done[-1].referring or (rising and not hop.up and not hop.single)):
            continue
        if hop.other in {h.table for h in done} and hop.other != other:
            continue
        if hop.other == other:
            yield (*done, hop)
        elif len(done) < 3:
            yield from _every_way(database, hop.other, other, (*done, hop))


def _key(path: Path) -> tuple[int, list[tuple[str, str, str]]]:
    return len(path), [(h.column, h.other, h.other_column) for h in path]


def _database(ties: MemoryTies, index: SchemaIndex) -> Database:
    return Database(ties.groups[0], ties, lambda name: index.tables[index.names.index(name)])


@pytest.mark.parametrize("seed", range(3))
def test_the_ways_between_two_tables_are_the_shortest_of_all(seed: int) -> None:
    made = corpus(seed)
    database = _database(made.whole, made.index)
    for table, other in product(made.whole.groups[0], repeat=2):
        expected = tuple(sorted(_every_way(database, table, other), key=_key)[:4])
        assert database.paths(table, other) == expected, (table, other)
        assert not expected or not database.group.named[table] or table in database.sources(other)


def test_groups_are_what_relations_connect() -> None:
    relations = [Relation(a, "x", b, "y", 1.0) for a, b in (("d", "c"), ("a", "b"), ("b", "f"), ("e", "gone"))]
    assert groups({"a", "b", "c", "d", "e", "f"}, relations) == [("a", "b", "f"), ("c", "d")]
    assert groups((), relations) == []


def test_a_step_back_leads_where_it_came_from() -> None:
    hop = Hop("orders", "customer", "customers", "id", True, agreeing=(("town", "place"),))
    assert hop.back.back == hop
    assert hop.back.referring == hop.referring == ("orders", "customer")
