from __future__ import annotations

import gc
import sqlite3
import threading
from dataclasses import replace

import pytest

from polyrag_cli.stores.base import Snapshot, Work
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.recent import Recent
from polyrag_cli.stores.sqlite_transactions import SQLiteSnapshot
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.text.utterance import read
from tests.stores.corpus import chunk, unit_vectors, windows


@pytest.fixture
def snapshot() -> SQLiteSnapshot:
    return SQLiteSnapshot(sqlite3.connect(":memory:"), 1, "token")


def test_a_value_belongs_to_one_piece_of_work(snapshot: SQLiteSnapshot) -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put(snapshot, "a", 1)
    recent.put(snapshot, "a", 2)
    assert recent.get(snapshot, "a") == 2
    assert recent.get(snapshot, "b") is None
    assert recent.get(replace(snapshot), "a") == 2
    assert recent.get(replace(snapshot, work=Work()), "a") is None
    snapshot.connection.close()


def test_the_oldest_of_a_piece_of_work_go(snapshot: SQLiteSnapshot) -> None:
    recent: Recent[str, int] = Recent(2)
    for number, key in enumerate("abac"):
        recent.put(snapshot, key, number)
    assert [recent.get(snapshot, key) for key in "abc"] == [2, None, 3]
    snapshot.connection.close()


def test_what_was_found_goes_with_its_work(snapshot: SQLiteSnapshot) -> None:
    recent: Recent[str, int] = Recent(2)
    for number in range(10):
        ended = replace(snapshot, work=Work())
        recent.put(ended, "a", number)
        assert recent.get(ended, "a") == number
    del ended
    assert len(recent._values) == 0
    snapshot.connection.close()


def test_questions_beside_many_commits_keep_no_snapshot_and_no_connection(
    catalog: SQLiteCatalog, paths: DataPaths
) -> None:
    vector, lexical = FaissVectorStore(paths), FTS5LexicalStore(paths)
    query = unit_vectors(1, seed=5)[0]

    def ask() -> None:
        with catalog.snapshot() as snapshot:
            assert vector.search(snapshot, query, 3)
            assert lexical.search(snapshot, read("river"), 3)

    def held() -> tuple[int, int]:
        gc.collect()
        kept = [one for one in gc.get_objects() if isinstance(one, Snapshot)]
        return len(kept), sum(isinstance(one, sqlite3.Connection) for one in gc.get_objects())

    counts = []
    before = held()
    for number in range(12):
        one = chunk("the river", f"{number}.md")
        with catalog.writer() as writer:
            vector.add(writer, one.document, windows(one, 1), unit_vectors(1, seed=number))
            lexical.add(writer, one.document, [one])
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts.append(held())
    assert {snapshots for snapshots, _ in counts} == {before[0]}
    # Those of the threads that asked last are closed by the next one that reads.
    assert max(connections for _, connections in counts) <= before[1] + 1 + 2 * 3
