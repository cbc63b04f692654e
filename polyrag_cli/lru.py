"""Owns what is kept from one question to the next within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Bounded(Generic[K, V]):
    """Values by key, safe between threads; beyond `most` of total weight those longest unused are let go."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._weight = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return what is kept under a key, None without it."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, weight: int = 1) -> None:
        """Keep a value; a weight below 1 counts as 1."""
        weight = max(1, weight)
        with self._lock:
            held = self._kept.pop(key, None)
            self._weight += weight - (held[1] if held is not None else 0)
            self._kept[key] = (value, weight)
            while self._weight > self._most and len(self._kept) > 1:
                _, (_, freed) = self._kept.popitem(last=False)
                self._weight -= freed
