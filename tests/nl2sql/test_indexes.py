"""The index of stored tables: what is kept of them says what they say, and is never older than they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.nl2sql import kept_entry
from polyrag_cli.nl2sql.evidence import table_evidence
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.table_choice import tables_of
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.utterance import read
from tests.nl2sql.tables import ENERGY, ORDERS, STAFF

FILES = {"pedidos.csv": ORDERS, "staff.csv": STAFF, "energia_2024.csv": ENERGY}
ASKED = (
    "Quanto vendemos para a Padaria Aurora em março?",
    "Who earns most in Engineering, not in Leeds?",
    "Qual usina não é Solar?",
    "How many enginers are there in Porto or Lisbon?",
    "valor dos pedidos entregues",
    "What is the average salary by department?",
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"}) as opened:
        opened.ingest([folder])
        yield opened


def _said(index: SchemaIndex) -> list[object]:
    """What an index says of questions and of its tables."""
    said: list[object] = [index.names, index.documents, index.labels]
    for text in ASKED:
        question = take_apart(read(text))
        said += [table_evidence(read(text), index), [table.schema.name for table in tables_of(question, index)]]
        said.append(index.postings.nearest_values([token.text for token in question.tokens]))
    return said + [_known(table) for table in index.tables]


def _known(table: TableEntry) -> list[object]:
    cells, values = table.cells, profile(table).values
    heads = [table.named_alike((stem,)) for stem in sorted(cells.heads(last=table.lexicon.grammar.noun_last))]
    return [
        table.columns, table.lexicon.code, table.language, cells.whole, cells.parts, cells.words, cells.starts, heads,
        values.words, values.members, values.holding,
    ]  # fmt: skip


def _alone(engine: Engine, snapshot: Snapshot) -> SchemaIndex:
    return SchemaIndex(engine.stores.relational.schemas(snapshot))


def _stored(engine: Engine, snapshot: Snapshot) -> SchemaIndex:
    # Another process: nothing of this one's is used.
    with Engine.open(engine.paths.root, overrides={"embedder.name": "hashing"}) as other, other.snapshot() as seen:
        assert seen.commit == snapshot.commit
    return TableIndexes().of(engine.stores, snapshot)


def _entries(engine: Engine) -> dict[str, int]:
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        return dict(connection.execute("SELECT document, id FROM table_entries"))


def test_what_is_kept_of_tables_says_what_they_say(engine: Engine) -> None:
    assert _entries(engine).keys() == FILES.keys()
    with engine.snapshot() as snapshot:
        assert _said(_stored(engine, snapshot)) == _said(_alone(engine, snapshot))


def test_one_commit_has_one_index(engine: Engine) -> None:
    indexes = TableIndexes()
    with engine.snapshot() as snapshot:
        first, second = (indexes.of(engine.stores, snapshot) for _ in range(2))
        assert first.explained is second.explained
        assert first.tables[0] is second.tables[0]
    engine.remove("staff.csv")
    with engine.snapshot() as snapshot:
        assert indexes.of(engine.stores, snapshot).names == ("energia_2024", "pedidos")


def test_a_table_that_changes_is_never_read_from_what_was_kept(engine: Engine, tmp_path: Path) -> None:
    before = _entries(engine)
    (tmp_path / "files" / "staff.csv").write_text(STAFF.replace("Porto", "Faro"), encoding="utf-8")
    engine.ingest([tmp_path / "files"])
    after = _entries(engine)
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} == {"staff.csv"}
    with engine.snapshot() as snapshot:
        index = _stored(engine, snapshot)
        assert index.postings.words("faro") == [2]
        assert index.postings.words("porto") == [1]
        assert _said(index) == _said(_alone(engine, snapshot))


def test_a_program_that_keeps_nothing_leaves_nothing_behind(engine: Engine) -> None:
    """Such as an older version, which writes tables alone."""
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        connection.execute("UPDATE tables SET schema = replace(schema, 'Porto', 'Lagos') WHERE document = 'staff.csv'")
        connection.execute("UPDATE meta SET value = 'another' WHERE key = 'commit'")
        connection.commit()
    assert _entries(engine).keys() == {"pedidos.csv", "energia_2024.csv"}
    with engine.snapshot() as snapshot:
        index = TableIndexes().of(engine.stores, snapshot)
        assert index.postings.words("lagos") == [2]
        assert index.postings.words("porto") == [1]


def test_what_is_gone_leaves_no_word(engine: Engine) -> None:
    for name in FILES:
        engine.remove(name)
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        for table in ("table_entries", "table_words", "table_spellings", "table_leftovers"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("content", ["", "{", "{}", '{"language":"en","columns":[],"words":[],"heads":{}}'])
def test_a_damaged_entry_is_worked_out_anew(engine: Engine, content: str) -> None:
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        connection.execute("UPDATE table_entries SET content = ? WHERE document = 'staff.csv'", (content or "x",))
        connection.commit()
    with engine.snapshot() as snapshot:
        assert _said(TableIndexes().of(engine.stores, snapshot)) == _said(_alone(engine, snapshot))


def test_another_version_is_worked_out_anew_and_kept_by_the_next_run(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _entries(engine)
    monkeypatch.setattr("polyrag_cli.nl2sql.stored_index.version", lambda: "another")
    with engine.snapshot() as snapshot:
        index = TableIndexes().of(engine.stores, snapshot)
        assert engine.stores.table_words is not None
        monkeypatch.setattr(type(engine.stores.table_words), "of", lambda self, snapshot: pytest.fail("read"))
        assert index.postings.words("leeds") == [2]
    monkeypatch.undo()
    monkeypatch.setattr("polyrag_cli.nl2sql.stored_index.version", lambda: "another")
    engine.ingest([tmp_path / "files"])
    assert not before.items() & _entries(engine).items()
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        (orphans,) = connection.execute(
            "SELECT count(*) FROM table_words WHERE entry NOT IN (SELECT id FROM table_entries)"
        ).fetchone()
    assert orphans == 0


def test_what_another_process_committed_meanwhile_is_not_written_over(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that was done of the tables before is dropped; the next run does it."""
    from polyrag_cli.ingest import table_words

    (tmp_path / "files" / "staff.csv").write_text(STAFF.replace("Porto", "Faro"), encoding="utf-8")
    made = table_words.kept_table

    def meanwhile(*of: object) -> object:
        monkeypatch.setattr(table_words, "kept_table", made)
        with Engine.open(engine.paths.root, overrides={"embedder.name": "hashing"}) as other:
            other.ingest_text("A note.", "note")
        return made(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(table_words, "kept_table", meanwhile)
    engine.ingest([tmp_path / "files"])
    with engine.snapshot() as snapshot:
        assert _said(TableIndexes().of(engine.stores, snapshot)) == _said(_alone(engine, snapshot))


def test_the_version_tells_changes_of_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_entry.version()
    monkeypatch.setattr(kept_entry, "_CODE", kept_entry._CODE[:-1])
    kept_entry.version.cache_clear()
    assert kept_entry.version() != before
    kept_entry.version.cache_clear()
