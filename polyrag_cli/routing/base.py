"""What routing asks of the catalog, and the names and bounds that all of it shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from polyrag_cli.stores.base import Snapshot, StoredChunk

DIRECT = "direct"
AUTO = "auto"
# A clause is scored by its first characters; what follows costs nothing.
SCORED_CHARACTERS = 2000


class CatalogReader(Protocol):
    """What routing reads of the catalog."""

    def chunks(self, snapshot: Snapshot, chunk_ids: Sequence[str], /) -> Mapping[str, StoredChunk]:
        """The chunks with these ids, each with its route; unknown ids are left out."""
