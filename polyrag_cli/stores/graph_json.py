"""Owns the graph kept as one JSON file a document: nothing but a file system is needed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.document_files import DocumentFiles
from polyrag_cli.stores.graph_arrays import ArrayGraphStore
from polyrag_cli.stores.storable import storable
from polyrag_cli.types.decoding import decoded

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.graph.columns import PassageRows
    from polyrag_cli.graph.mentions import PassageGraph

_Sentence = tuple[int, int, str, str]
_Mention = tuple[int, str, str, str]
_Title = tuple[str, str, float]
_Relation = tuple[str, str, str]
# A `PassageRows`, field by field.
_Rows = tuple[
    str, str, str, str, str, str,
    tuple[_Sentence, ...], tuple[_Mention, ...], tuple[_Title, ...], tuple[_Relation, ...],
]  # fmt: skip


class JSONGraphStore(ArrayGraphStore):
    """The graph in files of `graph/`, with its arrays in memory for one commit; thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._files = DocumentFiles(paths.root / "graph", "graph.json", ".json")
        self._current: tuple[str, GraphArrays] | None = None
        self._lock = threading.Lock()

    def add(self, writer: Writer, document: str, passages: Sequence[PassageGraph]) -> None:
        """Stores a document's passages, sentences, mentions and relations in place of what it had."""
        from polyrag_cli.graph.columns import PassageRows

        if not passages:
            self.remove(writer, document)
            return
        rows = json.dumps([PassageRows.of(passage) for passage in passages], ensure_ascii=False)
        self._files.write(writer, document, storable(rows).encode())

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document."""
        self._files.remove(writer, document)

    def arrays(self, snapshot: Snapshot) -> GraphArrays:
        """The arrays of this snapshot: those in memory, else built from the files.

        Raises StaleSnapshot when a file is gone, StoreError when it is damaged.
        """
        current = self._current
        if current is None or current[0] != snapshot.commit:
            with self._lock:
                current = self._current
                if current is None or current[0] != snapshot.commit:
                    current = self._current = (snapshot.commit, self._built(snapshot))
        return current[1]

    def lost(self, snapshot: Snapshot) -> frozenset[str]:
        """The documents whose file is gone or torn."""
        return self._files.lost(snapshot)

    def repair(self, snapshot: Snapshot) -> None:
        """Sweeps files that the snapshot doesn't name; called under the writer lock."""
        self._files.sweep(snapshot)

    def _built(self, snapshot: Snapshot) -> GraphArrays:
        from polyrag_cli.graph.build import arrays_of
        from polyrag_cli.graph.columns import Columns

        passages = sorted(self._passages(snapshot), key=lambda passage: passage.chunk_id)
        return arrays_of(Columns.of(passages), snapshot.generation)

    def _passages(self, snapshot: Snapshot) -> Iterator[PassageRows]:
        from polyrag_cli.graph.columns import PassageRows

        for _, version in self._files.versions(snapshot):
            content = self._files.read(version)
            try:
                rows = decoded(tuple[_Rows, ...], json.loads(content))
            except ValueError as error:
                path = self._files.path(version)
                hint = "Delete it and ingest its folder again: that writes it anew."
                raise StoreError(f"The graph file {path} is damaged ({error}).", hint) from error
            yield from (PassageRows(*row) for row in rows)
