"""What a route answers from, and what follows from that."""

from __future__ import annotations

from enum import StrEnum


class RouteKind(StrEnum):
    """What a route answers from; its value is the `store` of a [routes.<name>] table.

    All that code asks about a route beside its own settings is asked of its kind, so that a route's name means nothing.
    """

    RELATIONAL = "relational"
    VECTOR = "vector"
    GRAPH = "graph"

    @property
    def has_rows(self) -> bool:
        """Whether it answers with rows of tables; the other kinds answer with passages."""
        return self is RouteKind.RELATIONAL

    @property
    def gains_by_names(self) -> bool:
        """Whether passages whose sentences name entities are at home here."""
        return self is RouteKind.GRAPH

    @property
    def is_free_text(self) -> bool:
        """Whether text without a home of its own is at home here."""
        return self is RouteKind.VECTOR

    @property
    def chooses_strategy(self) -> bool:
        """Whether its strategy may be "auto": chosen for each question by rules."""
        return self is RouteKind.VECTOR

    @property
    def default_strategy(self) -> str:
        """The strategy of a route that names none."""
        return {"relational": "text_to_sql", "vector": "auto", "graph": "graph_walk"}[self]

    @property
    def fallback_rank(self) -> int:
        """Which kind takes what has no clear home: the lowest."""
        return {"vector": 0, "graph": 1, "relational": 2}[self]
