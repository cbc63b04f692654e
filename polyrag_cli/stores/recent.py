"""Owns what a store remembers of the questions of running snapshots. Must never import a backend."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from polyrag_cli.stores.base import Snapshot

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """What was found last, at most `most` values, each for one snapshot; thread-safe.

    A question is one snapshot: it finds again what it has found itself, and never what another question did, so that a
    question costs the same when it is asked again. Whoever reads a value must not change it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # A kept snapshot keeps its identity from being given to another one.
        self._values: OrderedDict[tuple[int, Key], tuple[Snapshot, Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, snapshot: Snapshot, key: Key) -> Value | None:
        """The value of a key for this very snapshot; None when it is unknown or was pushed out."""
        with self._lock:
            kept = self._values.get((id(snapshot), key))
            return None if kept is None else kept[1]

    def put(self, snapshot: Snapshot, key: Key, value: Value) -> None:
        """Keeps a value; the oldest ones go."""
        with self._lock:
            self._values[id(snapshot), key] = (snapshot, value)
            self._values.move_to_end((id(snapshot), key))
            while len(self._values) > self._most:
                self._values.popitem(last=False)
