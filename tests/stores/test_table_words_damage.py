"""Damage of what is kept of tables for questions: never answered from, named by `doctor`, mended by the next writer."""

from __future__ import annotations

import gc
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli import Engine
from polyrag_cli.stores.table_words_sqlite import TIES

FILES = {
    "clients.csv": "client id,name,town\n" + "".join(f"{n},Ann{n} Bo{n},Town{n % 3}\n" for n in range(31, 60)),
    "visits.csv": "visit,client id,minutes\n" + "".join(f"v{n},{31 + n * 7 % 29},{n * 3 % 50}\n" for n in range(80)),
    "boats.csv": "boat,length\nHeron,12\nTern,9\nGull,15\n",
}
ASKED = ("How long is the Heron?", "Which client has the most visits?", "What is the longest boat?", "length of Hern")
# How rows come to be damaged, and what `doctor` names then.
HARMS = {
    "values": ("UPDATE table_words SET value = 'x' || value", "boats.csv, clients.csv, visits.csv"),
    "values that are no text": ("UPDATE table_words SET value = CAST(x'ff41' AS TEXT)", "boats.csv, clients.csv"),
    "words": ("UPDATE table_words SET word = word || 'x' WHERE entry = (SELECT min(id) FROM table_entries)", ".csv"),
    "rows that are gone": ("DELETE FROM table_words WHERE kind IN ('c', 's', 'w')", "boats.csv, clients.csv"),
    "spellings": ("UPDATE table_spellings SET found = '{{{'", "boats.csv"),
    "texts": ("UPDATE table_spellings SET text = 'y' || text", "boats.csv"),
    "spellings that are gone": ("DELETE FROM table_spellings", "boats.csv"),
    "entries": ("UPDATE table_entries SET content = 'nonsense'", "boats.csv"),
    "entries that another would have": (
        "UPDATE table_entries SET content = (SELECT content FROM table_entries ORDER BY id LIMIT 1)", ".csv"
    ),
    "entries that say that a table has no columns": ("UPDATE table_entries SET content = ''", "boats.csv"),
    "versions": ("UPDATE table_entries SET version = version || 'x'", "boats.csv"),
    "ties": ("UPDATE table_relations SET content = '[]'", "how tables hang together"),
    "ties that aren't JSON": ("UPDATE table_relations SET content = '{{{'", "how tables hang together"),
}  # fmt: skip


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    with _opened(tmp_path) as opened:
        opened.ingest([folder])
        yield opened


def _opened(tmp_path: Path) -> Engine:
    return Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"})


def _answers(tmp_path: Path) -> list[dict[str, Any]]:
    """What a new process answers, without what differs by nature."""
    found = []
    with _opened(tmp_path) as engine:
        for question in ASKED:
            answer = asdict(engine.ask(question, use_cache=False))
            kept = {name: answer[name] for name in ("answer", "sql", "rows", "route", "sources", "warnings")}
            found.append(json.loads(json.dumps(kept, default=str)))
    return found


def _check(tmp_path: Path) -> tuple[bool, str]:
    with _opened(tmp_path) as engine:
        return next((c.ok, c.detail) for c in engine.corpus.health()["checks"] if c.name == "table words")


def _harm(engine: Engine, statement: str) -> None:
    with closing(sqlite3.connect(engine.paths.catalog)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("harm", HARMS)
def test_damage_is_named_and_mended(engine: Engine, tmp_path: Path, harm: str) -> None:
    statement, named = HARMS[harm]
    assert _check(tmp_path) == (True, "3 kept")
    _harm(engine, statement)
    ok, detail = _check(tmp_path)
    assert not ok
    assert named in detail
    assert "doctor --fix" in detail
    with _opened(tmp_path) as other:
        other.corpus.repair()
    assert _check(tmp_path) == (True, "3 kept")
    _harm(engine, statement)
    with _opened(tmp_path) as other:
        assert {file.status for file in other.ingest([tmp_path / "files"]).files} == {"unchanged"}
    assert _check(tmp_path) == (True, "3 kept")


# A word under another key is seen only by who reads all rows: `doctor`, and whoever ingests.
@pytest.mark.parametrize("harm", sorted(HARMS.keys() - {"words", "texts"}))
def test_no_question_is_answered_from_damaged_rows(engine: Engine, tmp_path: Path, harm: str) -> None:
    expected = _answers(tmp_path)
    assert expected[0]["answer"]
    assert expected[1]["answer"]
    _harm(engine, HARMS[harm][0])
    assert _answers(tmp_path) == expected


def test_damage_of_one_table_costs_the_others_nothing(engine: Engine, tmp_path: Path) -> None:
    words = engine.stores.table_words
    assert words is not None
    with engine.catalog.snapshot() as snapshot:
        known = words.known(snapshot)
        number = known["boats.csv", 0][0]
    _harm(engine, f"UPDATE table_words SET value = value || 'x' WHERE entry = {number} AND kind = 'b'")
    with engine.catalog.snapshot() as snapshot:
        assert words.damaged(snapshot) == {number}
    with _opened(tmp_path) as other:
        other.ingest([tmp_path / "files"])
        assert other.stores.table_words is not None
        with other.catalog.snapshot() as snapshot:
            after = other.stores.table_words.known(snapshot)
    assert {key for key in known if known[key] != after[key]} == {("boats.csv", 0)}


def test_a_snapshot_without_anything_kept_is_sound(tmp_path: Path) -> None:
    with _opened(tmp_path) as engine:
        engine.ingest_text("The ferry leaves at nine.", "note")
        words = engine.stores.table_words
        assert words is not None
        with engine.catalog.snapshot() as snapshot:
            assert words.damaged(snapshot) == frozenset()
            assert words.check(snapshot) == "0 kept"


def test_an_earlier_layout_is_made_anew(engine: Engine, tmp_path: Path) -> None:
    expected = _answers(tmp_path)
    _harm(engine, "DROP TABLE table_words")
    _harm(engine, "CREATE TABLE table_words (kind, word, entry, value, PRIMARY KEY (kind, word, entry)) WITHOUT ROWID")
    assert _answers(tmp_path) == expected
    with _opened(tmp_path) as other:
        other.ingest([tmp_path / "files"])
    assert _check(tmp_path) == (True, "3 kept")
    assert _answers(tmp_path) == expected


def test_the_ties_are_damaged_as_one(engine: Engine) -> None:
    words = engine.stores.table_words
    assert words is not None
    _harm(engine, "UPDATE table_relations SET part = part || 'x' WHERE part = 'groups'")
    with engine.catalog.snapshot() as snapshot:
        assert words.damaged(snapshot) == {TIES}


def test_a_reader_that_stops_early_leaves_nothing_open(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    with _opened(engine.paths.root.parent) as other:
        assert other.stores.table_words is not None
        with other.catalog.snapshot() as snapshot:
            kept = other.stores.table_words.of(snapshot)
            readers = [iter(kept.words(kind)) for kind in ("w", "c")]
            assert all(next(reader, None) for reader in readers)
    del readers, kept
    gc.collect()
    assert lost == []
