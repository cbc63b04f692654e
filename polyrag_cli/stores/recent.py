"""Owns what a store remembers of the questions of running snapshots."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from polyrag_cli.stores.base import Snapshot

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """What was found last, at most `most` values for each snapshot that goes on; thread-safe.

    A question is one snapshot: it finds again what it has found itself, and never what another question did, so that a
    question costs the same when it is asked again. What it found goes when it ends: neither it nor its connection is
    kept. Whoever reads a value must not change it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: WeakKeyDictionary[Snapshot, OrderedDict[Key, Value]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def get(self, snapshot: Snapshot, key: Key) -> Value | None:
        """The value of a key for this very snapshot; None when it is unknown or was pushed out."""
        with self._lock:
            kept = self._values.get(snapshot)
            return None if kept is None else kept.get(key)

    def put(self, snapshot: Snapshot, key: Key, value: Value) -> None:
        """Keeps a value; the snapshot's oldest ones go."""
        with self._lock:
            kept = self._values.setdefault(snapshot, OrderedDict())
            kept[key] = value
            kept.move_to_end(key)
            while len(kept) > self._most:
                kept.popitem(last=False)
