"""Owns what an embedded graph store answers from arrays in memory, wherever its rows lie."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyrag_cli.stores.base import GraphStore, Snapshot

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.graph.base import GraphContent, GraphWalk, Neighbour
    from polyrag_cli.text.utterance import Utterance
    from polyrag_cli.types import Window


class ArrayGraphStore(GraphStore):
    """A graph that is read whole into arrays, once for each commit."""

    @abstractmethod
    def arrays(self, snapshot: Snapshot) -> GraphArrays:
        """The arrays of this snapshot."""

    def match(self, snapshot: Snapshot, question: Utterance) -> list[tuple[str, float]]:
        """Names of the graph in a question, with their strength in (0, 1], the strongest first, ties by name."""
        return self.arrays(snapshot).match(question)

    def walk(
        self,
        snapshot: Snapshot,
        question: Utterance,
        near: Sequence[tuple[Window, float]],
        damping: float,
        top_k: int,
    ) -> GraphWalk:
        """The passages along the best chains of names from a question."""
        from polyrag_cli.graph.walking import walked

        return walked(self.arrays(snapshot), question, near, damping, top_k)

    def neighbours(self, snapshot: Snapshot, name: str) -> list[Neighbour]:
        """What a name is linked to: its relations, then its strongest co-mentions; empty for an unknown name."""
        return self.arrays(snapshot).neighbours(name)

    def names(self, snapshot: Snapshot, like: str = "", within: str = "", limit: int | None = 50) -> list[str]:
        """Names in the graph, those mentioned most first."""
        return self.arrays(snapshot).names(like, within, limit)

    def content(self, snapshot: Snapshot) -> GraphContent:
        """The whole graph: every name, passage, mention and relation."""
        from polyrag_cli.graph.export import content_of

        return content_of(self.arrays(snapshot))

    def check(self, snapshot: Snapshot) -> str:
        """How many names there are."""
        return f"{len(self.arrays(snapshot).entity_keys)} names"
