"""Owns how often the cycle collector runs while files are ingested."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Objects made between two collections: words and sentences come by the hundred thousand and hold no cycles.
_YOUNG_OBJECTS = 100_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Lets many more objects be made between two collections inside the block; reference counts free them meanwhile."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _YOUNG_OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
