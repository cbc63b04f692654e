"""Owns a small cache of what a store found for one question, dropped when that question is answered."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from polyrag_cli.lru import Bounded
from polyrag_cli.stores.base import Snapshot, Work

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """What was found last in one commit, at most `most` values for each piece of work that goes on; thread-safe.

    A question is one piece of work: it finds again what it has found itself, and never what another question did, so
    that a question costs the same when it is asked again. What it found goes when it ends: neither it nor its
    connection is kept. Whoever reads a value must not change it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: WeakKeyDictionary[Work, Bounded[Key, Value]] = WeakKeyDictionary()
        self._lock = Lock()

    def get(self, snapshot: Snapshot, key: Key) -> Value | None:
        """The value of a key for this very work; None when it is unknown or was pushed out."""
        with self._lock:
            kept = self._values.get(snapshot.work)
        return None if kept is None else kept.get(key)

    def put(self, snapshot: Snapshot, key: Key, value: Value) -> None:
        """Keeps a value; those of the work that were longest unused go."""
        with self._lock:
            kept = self._values.setdefault(snapshot.work, Bounded(self._most))
        kept.put(key, value)
