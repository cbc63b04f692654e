from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.stores.base import Writer
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from tests.stores.corpus import document, table, unit_vectors, windows

NAMES = ("a.md", "b.md", "c.csv")


class _Corpus:
    def __init__(self, root: Path) -> None:
        paths = DataPaths(root)
        self.catalog = SQLiteCatalog.open(paths, create=True)
        self.vector = FaissVectorStore(paths)
        self.lexical = FTS5LexicalStore(paths)
        self.relational = DuckDBRelationalStore(paths)

    def put(self, name: str, text: str = "", mtime: int = 1) -> None:
        record, chunks = document(name, [text or f"Text of {name}.", "The same passage everywhere."])
        own = [window for stored in chunks for window in windows(stored.chunk, 2)]
        tables = [(table(), self.relational.write(table()))]
        with self.catalog.writer() as writer:
            self.catalog.put_source(writer, SourceRecord(f"/{mtime}", name, name, "ab", 1, mtime, "r", "added"))
            self.catalog.put_document(writer, record, chunks)
            self.vector.add(writer, name, own, unit_vectors(len(own), seed=len(text)))
            self.lexical.add(writer, name, [stored.chunk for stored in chunks])
            self.relational.add(writer, name, tables)

    def remove(self, name: str) -> None:
        with self.catalog.writer() as writer:
            self.catalog.remove_source(writer, name)
            for store in (self.vector, self.lexical, self.relational):
                store.remove(writer, name)

    def value(self) -> str:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.fingerprint(snapshot)


def test_order_history_time_and_place_do_not_matter(tmp_path: Path) -> None:
    one, other = _Corpus(tmp_path / "one"), _Corpus(tmp_path / "other")
    for name in NAMES:
        one.put(name)
    other.put("c.csv", "An earlier version that is longer.")
    other.put("gone.md")
    for name in reversed(NAMES):
        other.put(name, mtime=99)
    assert one.value() != other.value()
    other.remove("gone.md")
    assert one.value() == other.value()
    one.put("a.md")
    assert one.value() == other.value()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE documents SET title = 'x' WHERE document = 'a.md'",
        "UPDATE chunks SET home = 'x' WHERE document = 'a.md'",
        "UPDATE chunks SET margin = 0.2 WHERE document = 'a.md'",
        "UPDATE windows SET vectors = zeroblob(length(vectors)) WHERE document = 'a.md'",
        "UPDATE lexical_documents SET stems = (SELECT stems FROM lexical_documents WHERE document = 'b.md')",
        "UPDATE lexical_chunks SET chunk_id = 'x' WHERE id = (SELECT first FROM lexical_documents LIMIT 1)",
        "UPDATE tables SET file = 'x.parquet' WHERE document = 'c.csv'",
        "UPDATE table_cells SET cells = x'00' WHERE document = 'c.csv'",
        "CREATE TABLE graph_things (a TEXT)",
    ],
)
def test_every_part_counts(tmp_path: Path, statement: str) -> None:
    corpus = _Corpus(tmp_path)
    for name in NAMES:
        corpus.put(name)
    before = corpus.value()

    def change(writer: Writer) -> None:
        writer.connection.execute(statement)

    with corpus.catalog.writer() as writer:
        change(writer)
    assert corpus.value() != before


def test_sources_and_meta_do_not_count(tmp_path: Path) -> None:
    corpus = _Corpus(tmp_path)
    corpus.put("a.md")
    before = corpus.value()
    with corpus.catalog.writer() as writer:
        corpus.catalog.set_meta(writer, "embedder", "x")
        writer.connection.execute("UPDATE sources SET mtime_ns = 7, root = '/elsewhere'")
    assert corpus.value() == before


def test_graph_tables_are_counted_without_their_row_ids(tmp_path: Path) -> None:
    values = []
    for order in ((1, "x"), (2, "y")), ((1, "y"), (2, "x")):
        corpus = _Corpus(tmp_path / order[0][1])
        with corpus.catalog.writer() as writer:
            writer.connection.execute("CREATE TABLE graph_names (id INTEGER PRIMARY KEY, name TEXT)")
            writer.connection.executemany("INSERT INTO graph_names VALUES (?, ?)", order)
        values.append(corpus.value())
        with corpus.catalog.snapshot() as snapshot:
            assert corpus.catalog.counts(snapshot)["graph_names"] == 2
    assert values[0] == values[1]
