"""A catalog that reads as if its chunks had other homes: what evidence would say once they had moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyrag_cli.routing.base import CatalogReader
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import StoredChunk
from polyrag_cli.types import ChunkRoute


class RehomedCatalog:
    """A catalog whose chunks have other homes, in memory only.

    homes: chunk id → its route; chunks that are not in it keep theirs.
    """

    def __init__(self, catalog: CatalogReader, homes: Mapping[str, ChunkRoute]) -> None:
        self._catalog = catalog
        self._homes = homes

    def chunks(self, snapshot: Snapshot, chunk_ids: Sequence[str], /) -> Mapping[str, StoredChunk]:
        """The chunks with these ids, each with its other route."""
        return {
            chunk_id: replace(stored, route=self._homes.get(chunk_id, stored.route))
            for chunk_id, stored in self._catalog.chunks(snapshot, chunk_ids).items()
        }
