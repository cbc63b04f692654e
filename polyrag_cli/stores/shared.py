"""What documents have in common: versions of one in several languages, and blocks that stand in several of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from polyrag_cli.stores.base import Snapshot, Store, Transaction, Writer
from polyrag_cli.types import DocumentShape


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A version of another document in another language; language: its code, as content or, failing that, path say."""

    document: str
    language: str


@dataclass(frozen=True, slots=True)
class Spread:
    """documents: how many there are, all versions of one counted once; of_block: block → in how many of them it stands,
    of those in three or more."""

    documents: int
    of_block: Mapping[int, int]


class SharedStore(Store, Protocol):
    """What documents share; whatever it says is made of the documents of the transaction alone, in any order."""

    def add(self, writer: Writer, document: str, shape: DocumentShape | None, texts: Sequence[str]) -> None:
        """Takes a document in, in place of what it was.

        shape: tells its versions; None for what is no file of its own. texts: its passages.
        """

    def versions(self, transaction: Transaction, documents: Iterable[str]) -> Mapping[str, tuple[DocumentVersion, ...]]:
        """The versions in other languages of each of some documents, by language and name; those without are left
        out."""

    def languages(self, transaction: Transaction, documents: Iterable[str]) -> Mapping[str, str]:
        """The language in which each of some documents is a version of others; those without any are left out."""

    def spread(self, snapshot: Snapshot) -> Spread:
        """In how many documents blocks stand that are repeated."""
