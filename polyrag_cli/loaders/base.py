"""What a loader is."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

from polyrag_cli.types import LoadedDocument

reading: ContextVar[Callable[[float], None] | None] = ContextVar("reading", default=None)
"""What a loader tells now and then which share of a long file it has read (0–1); None where nobody asks."""


class Loader(Protocol):
    """Reads one family of file formats."""

    name: str
    version: str

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """The documents of a file: one, or one for each record of a file of documents; () when there is nothing to
        read.

        Raises LoadError when the file isn't what it claims to be.
        """
