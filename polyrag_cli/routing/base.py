"""What routing asks of the catalog, and the names and bounds that all of it shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from polyrag_cli.config.sections import Route
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import StoredChunk

DIRECT = "direct"
AUTO = "auto"
FREE_TEXT = "vectorial"
"""Of several routes of one kind the one of this name is free text's; without it, the first by name."""
# A clause is scored by its first characters; what follows costs nothing.
SCORED_CHARACTERS = 2000


def free_text_route(routes: Sequence[Route]) -> Route:
    """Where a clause without a clear home goes: the route whose kind comes first, FREE_TEXT before others of it."""
    return min(routes, key=lambda route: (route.kind.fallback_rank, route.name != FREE_TEXT, route.name))


class CatalogReader(Protocol):
    """What routing reads of the catalog."""

    def chunks(self, snapshot: Snapshot, chunk_ids: Sequence[str], /) -> Mapping[str, StoredChunk]:
        """The chunks with these ids, each with its route; unknown ids are left out."""
