from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.recent import Recent


@pytest.fixture
def snapshot() -> Snapshot:
    return Snapshot(sqlite3.connect(":memory:"), 1)


def test_a_value_belongs_to_one_snapshot(snapshot: Snapshot) -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put(snapshot, "a", 1)
    recent.put(snapshot, "a", 2)
    assert recent.get(snapshot, "a") == 2
    assert recent.get(snapshot, "b") is None
    assert recent.get(replace(snapshot), "a") is None
    snapshot.connection.close()


def test_the_oldest_go(snapshot: Snapshot) -> None:
    recent: Recent[str, int] = Recent(2)
    for number, key in enumerate("abac"):
        recent.put(snapshot, key, number)
    assert [recent.get(snapshot, key) for key in "abc"] == [2, None, 3]
    # Snapshots that come and go leave nothing behind but the newest values.
    for number in range(10):
        recent.put(replace(snapshot), "a", number)
    assert recent.get(snapshot, "a") is None
    snapshot.connection.close()
