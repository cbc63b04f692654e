"""Owns what routing is configured with and what it asks of the catalog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from polyrag_cli.stores.base import Snapshot, StoredChunk

StoreKind = Literal["relational", "vector", "graph"]

DIRECT = "direct"
AUTO = "auto"
# A clause is scored by its first characters; what follows costs nothing.
SCORED_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Route:
    """One configured route.

    strategy: a strategy's name; "auto" chooses by the rules of `routing.strategies` (text routes only).
    tau_high, tau_low: cosines in [-1, 1], tau_low <= tau_high; delta_margin: >= 0.
    question_anchors: questions that belong to the route; chunk_anchors: statements that do. Both in any language.
    """

    name: str
    store: StoreKind
    strategy: str
    tau_high: float
    tau_low: float
    delta_margin: float
    question_anchors: tuple[str, ...] = ()
    chunk_anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoutingSettings:
    """Plain values of the `[routing]` section; weights are added to cosines, so all are on the scale of one.

    evidence_min: below it in every store, nothing answers. evidence_candidates: passages looked at per index.
    table_weight, text_weight: of a store's evidence. aggregate_bonus: for a word like "total" when a table speaks.
    table_min, text_min: with less table evidence than the first and more text evidence than the second, a table
    route's anchors count only in proportion. coverage_weight, bm25_weight, cosine_weight: make up text evidence.
    heading_weight, entity_weight: added to a passage whose heading or entity the question names.
    unknown_name_penalty: off the text evidence that evidence_min is compared with. boundary_margin: a final margin
    below it sends a clause to both candidates. tabularity_min: of a chunk that is a table. centroid_weight,
    named_weight, document_weight: of a chunk's home; named_center: the share of sentences with a name that speaks for
    neither home. chunk_margin: its boundary.
    """

    evidence_min: float = 0.23
    evidence_candidates: int = 8
    table_weight: float = 1.0
    text_weight: float = 1.0
    aggregate_bonus: float = 0.1
    table_min: float = 0.35
    lone_value_factor: float = 0.5
    text_min: float = 0.15
    coverage_weight: float = 0.5
    bm25_weight: float = 0.25
    cosine_weight: float = 0.25
    heading_weight: float = 0.1
    entity_weight: float = 0.1
    unknown_name_penalty: float = 0.15
    boundary_margin: float = 0.05
    tabularity_min: float = 0.6
    centroid_weight: float = 1.0
    named_weight: float = 0.5
    named_center: float = 0.65
    document_weight: float = 0.5
    chunk_margin: float = 0.03


class CatalogReader(Protocol):
    """What routing reads of the catalog."""

    def meta(self, snapshot: Snapshot, key: str, /) -> str | None:
        """A value that the catalog keeps about itself; "commit" is a token that each commit renews."""

    def chunks(self, snapshot: Snapshot, chunk_ids: Sequence[str], /) -> Mapping[str, StoredChunk]:
        """The chunks with these ids, each with its route; unknown ids are left out."""
