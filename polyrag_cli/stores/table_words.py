"""What a store of tables' words is: what questions find tables by, kept so that no process need work it out again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from polyrag_cli.stores.base import Snapshot, Transaction, Writer
from polyrag_cli.types import TableKey


@dataclass(frozen=True, slots=True)
class KeptTable:
    """What is kept of a table for questions; no truth, only work that needn't be done again.

    version: of what it was made by and from. content: what is known of it; "" where it has no columns.
    words: (kind, word, value), each kind and word once. spellings: (letters, text, values that it stands for).
    """

    key: TableKey
    version: str
    content: str
    words: Sequence[tuple[str, str, str]]
    spellings: Sequence[tuple[int, str, Sequence[str]]]


class KeptWords(Protocol):
    """The words by which questions find tables, as one snapshot sees them; a table is the number of its entry.

    Whatever reads a damaged row raises DamagedKeptWords; from then on nothing of that state is known. Two of them
    leave that to their readers: `spellings` gives texts whose rows `spelled` checks, `hollow` entries of which the
    schema tells whether they have columns.
    """

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        """(Entry, value) of each row of a kind and word; entries that are gone may be among them."""

    def words(self, kind: str) -> Iterable[tuple[str, int]]:
        """(Word, entry) of each row of a kind; entries that are gone may be among them."""

    def spellings(self, least: int, most: int, numbers: Collection[int]) -> Iterable[str]:
        """The texts of so many letters of some entries, each once."""

    def spelled(self, letters: int, text: str) -> Sequence[tuple[int, Sequence[str]]]:
        """(Entry, values) of each row of a text of so many letters; entries that are gone may be among them."""


class KeptTables(KeptWords, Protocol):
    """What is kept of tables for questions, as one snapshot sees it."""

    def entry(self, number: int) -> str:
        """The content of an entry. Raises StoreError where it is gone, DamagedKeptWords for it alone where it isn't as
        it was put."""

    def hollow(self) -> frozenset[int]:
        """The entries of tables without columns."""

    def ties(self, version: str, part: str) -> str | None:
        """A part of what was kept under a version of how tables hang together; None without it."""

    def all_ties(self, version: str) -> Mapping[str, str]:
        """All parts that were kept under a version, by name."""


class CheckedStore(Protocol):
    """What is kept can be damaged, and made anew: a store that tells, and forgets what is."""

    def damaged(self, transaction: Transaction) -> frozenset[int]:
        """The entries of which anything isn't as it was put, once every row was read; -1 stands for the ties."""

    def drop(self, writer: Writer, numbers: Collection[int]) -> None:
        """Forgets damaged entries, as `damaged` names them: what is left is made anew from the tables."""

    def check(self, snapshot: Snapshot) -> str:
        """How many tables something is kept of. Raises StoreError that names those of which it is damaged."""


class TableWordStore(CheckedStore, Protocol):
    """Entries of tables and the words by which questions find them, beside the tables that they are made of."""

    def known(self, snapshot: Snapshot) -> Mapping[TableKey, tuple[int, str]]:
        """The number and version of each table's entry; a table that changed has none."""

    def state(self, snapshot: Snapshot) -> int:
        """What changes whenever an entry is put; between commits no entry goes otherwise."""

    def of(self, snapshot: Snapshot) -> KeptTables:
        """What is kept, as a snapshot sees it."""

    def put(self, writer: Writer, tables: Iterable[KeptTable]) -> None:
        """Keeps what is known of tables, in place of what was."""

    def put_ties(self, writer: Writer, version: str, parts: Mapping[str, str]) -> None:
        """Keeps how tables hang together, part by part, in place of any other version; it goes when a table does."""

    def sweep(self, writer: Writer) -> None:
        """Drops the words of tables that are gone."""
