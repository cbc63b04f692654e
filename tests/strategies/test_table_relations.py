from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.strategies.table_relations import TableRelations, version_of
from polyrag_cli.tables.kept_relations import packed, part_of
from polyrag_cli.types import Relation

EXPECTED = Relation("visits", "client_id", "clients", "id", 1.0)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    files = tmp_path / "files"
    files.mkdir()
    # More clients than a schema keeps values of: only the rows themselves tell what is contained.
    (files / "clients.csv").write_text("id,town\n" + "".join(f"{n},Town {n % 7}\n" for n in range(1, 3001)))
    (files / "visits.csv").write_text("visit,client_id\n" + "".join(f"v{n},{n * 29 % 3000 + 1}\n" for n in range(2000)))
    with Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"}) as opened:
        opened.ingest([files])
        yield opened


def test_relations_are_counted_over_all_rows(engine: Engine) -> None:
    assert engine.corpus.relations() == (EXPECTED,)


def test_relations_are_made_once_for_each_commit(engine: Engine, tmp_path: Path) -> None:
    kept = TableRelations()
    with engine.catalog.snapshot() as snapshot:
        relations = kept.of(engine.stores, snapshot)
        assert kept.of(engine.stores, snapshot) is relations == (EXPECTED,)
    engine.remove("visits.csv")
    with engine.catalog.snapshot() as snapshot:
        assert kept.of(engine.stores, snapshot) == ()


def test_relations_are_kept_for_the_next_process_until_a_table_changes(engine: Engine, tmp_path: Path) -> None:
    words = engine.stores.table_words
    assert words is not None
    with engine.catalog.snapshot() as snapshot:
        version = version_of(engine.stores, snapshot)
        parts = words.of(snapshot).all_ties(version)
        assert parts.items() >= packed((EXPECTED,)).items()
    with engine.catalog.aside() as writer:
        words.put_ties(writer, version, {**parts, **packed((replace(EXPECTED, containment=0.75),))})
    with engine.catalog.snapshot() as snapshot:
        (kept,) = TableRelations().of(engine.stores, snapshot)
        assert kept.containment == 0.75
        assert TableRelations().leading(engine.stores, snapshot, "visits") == (kept,)
        assert TableRelations().leading(engine.stores, snapshot, "clients") == ()
    (tmp_path / "files" / "visits.csv").write_text("visit,client_id\nv1,1\nv2,2\n")
    engine.ingest([tmp_path / "files"])
    with engine.catalog.snapshot() as snapshot:
        assert version_of(engine.stores, snapshot) not in ("", version)
        assert words.of(snapshot).ties(version, part_of("visits")) is None


def test_relations_go_with_a_table_at_once(engine: Engine) -> None:
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        (before,) = connection.execute("SELECT count(*) FROM table_relations").fetchone()
        # As any program that writes tables alone.
        connection.execute("DELETE FROM tables WHERE document = 'visits.csv'")
        (after,) = connection.execute("SELECT count(*) FROM table_relations").fetchone()
    assert (before > 0, after) == (True, 0)


def test_foreign_keys_of_a_database_come_through(tmp_path: Path) -> None:
    path = tmp_path / "clinic.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE Person (No INTEGER PRIMARY KEY, Name TEXT, Boss INTEGER REFERENCES Person);"
            "CREATE TABLE Visit (Day DATE, Whose INTEGER REFERENCES person (no));"
            "INSERT INTO Person VALUES (1, 'Ana', NULL), (2, 'Rui', 1), (3, 'Eva', 1);"
            "INSERT INTO Visit VALUES ('2024-05-01', 2), ('2024-05-02', 3);"
        )
    with Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        engine.ingest([path])
        assert engine.corpus.relations() == (
            Relation("person", "boss", "person", "no", 1.0, declared=True),
            Relation("visit", "whose", "person", "no", 1.0, declared=True),
        )
