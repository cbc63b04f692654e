"""What a store is: transactions, and one Protocol for each kind of store. What passes through is in `stores.records`.

Everything is written inside a `Writer`, the transaction that commits a file in all stores at once, and read inside a
`Snapshot` of what was committed. Who keeps those transactions is the catalog (`stores.catalog`). A store whose rows lie
in the catalog's own database takes part in them by itself. Any other store (files, a server) keeps each version of a
document's content apart, under a name that is never used for other content, and has the transaction record which
version counts: `Writer.set_version` when it writes, `Snapshot.versions` when it reads. So it shows exactly what was
committed, whenever a process dies, and deletes what no snapshot names in `repair`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from polyrag_cli.types import Chunk, Relation, Rows, TableRef, TableSchema, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from polyrag_cli.graph.base import GraphContent, GraphWalk, Neighbour
    from polyrag_cli.graph.mentions import PassageGraph
    from polyrag_cli.stores.records import LexicalHit, TypedTable, WindowHit
    from polyrag_cli.text.utterance import Utterance


class Work:
    """One piece of work, such as a question, which may read through several snapshots, one after the other.

    What stores remember of it goes when it ends.
    """

    __slots__ = ("__weakref__",)


# ---------------------------------------------------------------- transactions
class Transaction(ABC):
    """What reading and writing have in common; each catalog has subclasses of its own, which its own stores know.

    generation: a number that grows by one with each commit. commit: a token that each commit renews, so that equal
    tokens mean equal content, even after a backup was put back; of a writer, the one that its commit will have.
    """

    generation: int
    commit: str

    @abstractmethod
    def versions(self, store: str) -> Mapping[str, str]:
        """Which version of each document's content counts in a store that isn't part of the catalog.

        store: a name that no other store has, such as "vector.json".
        """


class Snapshot(Transaction):
    """A read transaction: everything read through it is of one generation. Equal to itself alone.

    work: what reads through it.
    """

    work: Work


class Writer(Transaction):
    """A write transaction under the writer lock: all of it is committed, or nothing."""

    @abstractmethod
    def set_version(self, store: str, document: str, version: str | None) -> None:
        """Records which version of a document's content counts from this commit on; None when there is none."""


# ---------------------------------------------------------------- stores
class Store(Protocol):
    """What every store can be asked for. A backend that subclasses its Protocol has nothing derived and loses nothing,
    until it says otherwise."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document; one that it doesn't have is no error."""

    def check(self, snapshot: Snapshot) -> str:
        """How much the store holds, in words; reads enough to notice that it is damaged.

        Raises StoreError that says what is wrong, and what to do.
        """

    def lost(self, snapshot: Snapshot) -> frozenset[str]:
        """The documents whose content is gone or damaged: they are read again, though their files didn't change."""
        return frozenset()

    def refresh(self, snapshot: Snapshot, *, last: bool) -> None:
        """Brings derived files up to a snapshot; called under the writer lock, after a commit.

        last: whether the run is over; what serves one commit alone needn't be written before.
        """
        return None

    def repair(self, snapshot: Snapshot) -> None:
        """Drops derived files, writes them anew and sweeps what no snapshot refers to; under the writer lock."""
        return None


class VectorStore(Store, Protocol):
    """Nearest windows by cosine."""

    def add(self, writer: Writer, document: str, windows: Sequence[Window], vectors: NDArray[np.float32]) -> None:
        """Stores a document's windows and their (n, d) unit vectors in place of what it had."""

    def search(self, snapshot: Snapshot, vector: NDArray[np.float32], k: int) -> list[WindowHit]:
        """The k chunks with the highest cosine of their best window, ties by chunk id."""

    def windows(
        self, snapshot: Snapshot, chunk_ids: Sequence[str]
    ) -> Mapping[str, tuple[tuple[Window, ...], NDArray[np.float32]]]:
        """Each chunk's windows and their (n, d) vectors."""


class LexicalStore(Store, Protocol):
    """BM25 over folded, stemmed terms."""

    def add(self, writer: Writer, document: str, chunks: Sequence[Chunk]) -> None:
        """Indexes a document's chunks in place of what it had."""

    def search(self, snapshot: Snapshot, question: Utterance, k: int) -> list[LexicalHit]:
        """The k chunks with the highest BM25, ties by chunk id; scripts without spaces are found by trigrams."""

    def soft_search(self, snapshot: Snapshot, words: Sequence[Sequence[tuple[str, float]]], k: int) -> list[LexicalHit]:
        """The k chunks that hold most of some words or of what is like them, ties by chunk id.

        words: for each word of a question the stems that stand for it, with their likeness in (0, 1]; a chunk holds the
        word to the degree of its most alike stem. `coverage` is the idf share of the words held so, idf by the sum of
        degrees over all chunks; `score` is that sum of idf.
        """

    def document_frequency(self, snapshot: Snapshot, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Number of chunks, and in how many each stem occurs (0 when in none)."""


class TermStore(Store, Protocol):
    """Vectors of the corpus's words."""

    def add(self, writer: Writer, document: str, vectors: Mapping[str, NDArray[np.float16] | None]) -> None:
        """Stores a document's words in place of what it had; None for the vector of a word that has one."""

    def known(self, snapshot: Snapshot, terms: Iterable[str]) -> frozenset[str]:
        """Those of some words that have a vector."""

    def nearest(
        self,
        snapshot: Snapshot,
        words: Sequence[str],
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
        k: int,
        floor: float,
    ) -> list[tuple[tuple[str, float], ...]]:
        """For each word (in lower case) at most k words of the corpus with a cosine of at least `floor`, best first.

        embed: gives the unit vectors of words that the corpus doesn't hold, and of those whose vectors were lost. Ties
        are broken by the word.
        """


class KeptVectors(Protocol):
    """Vectors of one embedder that were made before, in this process or another."""

    def find(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors, (d,) each, of those of some texts that are kept."""

    def room(self) -> int:
        """How many more texts can be kept."""

    def keep(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Adds vectors, (d,) each, where that can be done."""


class LabelStore(Protocol):
    """Vectors of the labels of tables: no truth, only work that needn't be done again."""

    def of(self, embedder: str, dimension: int) -> KeptVectors:
        """The vectors of an embedder. dimension: their size, 1 or more."""


class StoredTables(Protocol):
    """Which tables there are, and what their columns hold."""

    def refs(self, snapshot: Snapshot) -> tuple[TableRef, ...]:
        """All tables, by name, without their columns."""

    def schemas(self, snapshot: Snapshot, names: Collection[str] | None = None) -> tuple[TableSchema, ...]:
        """The tables of some names (all when None), by name, columns with their distinct values (capped)."""


class RelationalStore(Store, StoredTables, Protocol):
    """Typed tables and read-only SQL over them."""

    def write(self, table: TypedTable) -> str:
        """Writes a table's rows before any commit, and returns the name that they have from then on (content hash)."""

    def add(self, writer: Writer, document: str, tables: Sequence[tuple[TypedTable, str]]) -> tuple[TableSchema, ...]:
        """Records a document's tables (with the names that `write` gave) in place of what it had; settles clashing
        names of tables, and returns them under those that they have now."""

    def execute(
        self,
        snapshot: Snapshot,
        sql: str,
        tables: Sequence[str] | None = None,
        max_rows: int = 1000,
        *,
        trusted: bool = False,
    ) -> Rows:
        """Runs one SELECT over the named tables (all when None) in the sandbox.

        trusted: the statement was made from a plan and checked against the schemas, so it isn't parsed again.

        Raises QueryRejected for anything but a single SELECT over known tables, StoreError when it fails or takes
        too long.
        """

    def source_cells(self, snapshot: Snapshot, name: str, most: int | None = None) -> list[list[str]]:
        """The table as its source holds it, header first where it has one; at most the first `most` lines."""

    def contained(self, snapshot: Snapshot, relations: Sequence[Relation]) -> list[float | None]:
        """For each relation the share of its column's different values that the other column has (0–1), counted over
        all rows; None where that takes too long."""


class GraphStore(Store, Protocol):
    """Names, what sentences say of them, and walks from name to name."""

    def add(self, writer: Writer, document: str, passages: Sequence[PassageGraph]) -> None:
        """Stores a document's sentences, entity spans and relations in place of what it had."""

    def match(self, snapshot: Snapshot, question: Utterance) -> list[tuple[str, float]]:
        """Names of the graph in a question, with their strength in (0, 1], the strongest first, ties by name."""

    def walk(
        self,
        snapshot: Snapshot,
        question: Utterance,
        near: Sequence[tuple[Window, float]],
        damping: float,
        top_k: int,
    ) -> GraphWalk:
        """The passages along the best chains of names from a question.

        near: the windows most like the question with their cosines; () without an embedder. damping: of the
        Personalized PageRank that ends the walk, in [0, 1).
        """

    def neighbours(self, snapshot: Snapshot, name: str) -> list[Neighbour]:
        """What a name is linked to: its relations, then its strongest co-mentions; empty for an unknown name."""

    def names(self, snapshot: Snapshot, like: str = "", within: str = "", limit: int | None = 50) -> list[str]:
        """Names in the graph, those mentioned most first.

        like: a part of the name, in any case and accents; names that are or begin with it come first. within: the id
        of the chunk that has to mention them. limit: how many at most, None for all.
        """

    def content(self, snapshot: Snapshot) -> GraphContent:
        """The whole graph: every name, passage, mention and relation."""
