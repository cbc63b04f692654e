from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.strategies.table_relations import TableRelations
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
        relations = kept.of(engine.stores.relational, snapshot)
        assert kept.of(engine.stores.relational, snapshot) is relations == (EXPECTED,)
    engine.remove("visits.csv")
    with engine.catalog.snapshot() as snapshot:
        assert kept.of(engine.stores.relational, snapshot) == ()
