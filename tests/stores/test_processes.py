"""Several processes on one data directory: commits are whole, whoever reads and whenever a writer dies."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.text.utterance import read
from tests.command_line import PATIENCE_S
from tests.stores.corpus import every_chunk, unit_vectors

# Commits versions of two documents for ever: a version has as many chunks, windows and table rows as its number says.
COMMIT = """
import sys
from pathlib import Path
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.parquet_files import sweep
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from tests.stores.corpus import document, table, unit_vectors, windows

paths = DataPaths(Path(sys.argv[1]))
catalog = SQLiteCatalog.open(paths, create=True)
vector, lexical, relational = FaissVectorStore(paths), FTS5LexicalStore(paths), DuckDBRelationalStore(paths)

def derive(snapshot):
    vector.refresh(snapshot, last=True)
    sweep(snapshot, paths, min_age_s=0.5)

for version in range(10**9):
    name, size = f"{version % 2}.md", 2 + version // 2 % 3
    record, chunks = document(name, [f"sameword version{size} passage{n}" for n in range(size)])
    own = [window for stored in chunks for window in windows(stored.chunk, 2)]
    rows = table(name="t" + name[0], rows=size)
    file = relational.write(rows)
    with catalog.writer(after_commit=derive) as writer:
        catalog.put_document(writer, record, chunks)
        vector.add(writer, name, own, unit_vectors(len(own), seed=size))
        lexical.add(writer, name, [stored.chunk for stored in chunks])
        relational.add(writer, name, [(rows, file)])
    if version == 6:
        print("ready", flush=True)
"""


@contextmanager
def _committing(folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", COMMIT, str(folder)], stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            yield child
            assert child.poll() in (None, -9), "the writer failed"
        finally:
            child.kill()
            child.wait()


class _Reader:
    def __init__(self, folder: Path) -> None:
        paths = DataPaths(folder)
        self.catalog = SQLiteCatalog.open(paths, create=False)
        self.vector = FaissVectorStore(paths)
        self.lexical = FTS5LexicalStore(paths)
        self.relational = DuckDBRelationalStore(paths)

    def check(self) -> tuple[int, str]:
        """Asserts that every store tells of the same version of each document; generation and fingerprint."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._check()
            except StaleSnapshot:
                # Half a second is all that the sweep leaves here; ten minutes is what the product leaves.
                assert time.monotonic() < deadline, "no snapshot lasts as long as a look at it"

    def _check(self) -> tuple[int, str]:
        with self.catalog.snapshot() as snapshot:
            sizes = {name: len(self.catalog.chunks_of(snapshot, name)) for name in ("0.md", "1.md")}
            assert all(2 <= size <= 4 for size in sizes.values())
            chunks = every_chunk(self.catalog, snapshot)
            for stored in chunks:
                assert f"version{sizes[stored.chunk.document]} " in stored.chunk.text
            ids = {stored.chunk.chunk_id for stored in chunks}
            assert {hit.chunk_id for hit in self.lexical.search(snapshot, read("sameword"), 99)} == ids
            assert {hit.chunk_id for hit in self.vector.search(snapshot, unit_vectors(1)[0], 99)} == ids
            assert {len(own) for own, _ in self.vector.windows(snapshot, sorted(ids)).values()} == {2}
            self._check_tables(snapshot, sizes)
            return snapshot.generation, self.catalog.fingerprint(snapshot)

    def _check_tables(self, snapshot: Snapshot, sizes: dict[str, int]) -> None:
        for schema in self.relational.schemas(snapshot):
            assert schema.rows == sizes[schema.document]
            found = self.relational.execute(
                snapshot, f"SELECT count(*) FROM {schema.name}", [schema.name], trusted=True
            )
            assert found.rows == ((sizes[schema.document],),)

    def close(self) -> None:
        self.catalog.close()


def _read_until(count: int, folder: Path) -> None:
    """Reads until `count` different generations were seen."""
    with _committing(folder):
        reader, generations = _Reader(folder), set()
        deadline = time.monotonic() + PATIENCE_S
        while len(generations) < count:
            assert time.monotonic() < deadline, f"{len(generations)} of {count} generations were seen"
            generations.add(reader.check()[0])
        reader.close()


def test_no_reader_sees_half_a_commit(tmp_path: Path) -> None:
    _read_until(12, tmp_path)


@pytest.mark.long
def test_no_reader_sees_half_a_commit_for_long(tmp_path: Path) -> None:
    _read_until(150, tmp_path)


def _kill_times(count: int, folder: Path) -> None:
    """Kills a committing process `count` times; the corpus must be one of those that whole commits make."""
    whole: dict[tuple[str, ...], str] = {}
    chance = random.Random(5)
    for _ in range(count):
        with _committing(folder) as child:
            time.sleep(chance.uniform(0.0, 0.08))
            child.kill()
            child.wait()
        reader = _Reader(folder)
        _, fingerprint = reader.check()
        with reader.catalog.snapshot() as snapshot:
            state = tuple(stored.chunk.chunk_id for stored in every_chunk(reader.catalog, snapshot))
        reader.close()
        # The same chunks always come with the same windows, postings and tables.
        assert whole.setdefault(state, fingerprint) == fingerprint


def test_kill_9_leaves_whole_commits(tmp_path: Path) -> None:
    _kill_times(4, tmp_path)


@pytest.mark.long
def test_kill_9_leaves_whole_commits_for_long(tmp_path: Path) -> None:
    _kill_times(40, tmp_path)


def test_two_writers_take_turns(tmp_path: Path) -> None:
    with _committing(tmp_path), _committing(tmp_path):
        reader = _Reader(tmp_path)
        first = reader.check()[0]
        deadline = time.monotonic() + PATIENCE_S
        while reader.check()[0] == first:
            assert time.monotonic() < deadline, "nobody commits"
        reader.close()
