"""Owns what a graph answers with, whichever store keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.scoring.walk import NO_CHAIN


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A name linked to another: by a relation (its verb phrase), or, with an empty `relation`, by standing beside it.

    weight: how often the relation is said; for a co-mention, the number of shared sentences times the name's idf.
    outward: whether the relation goes from the name that was asked about to this one.
    """

    relation: str
    name: str
    weight: float
    outward: bool = True


@dataclass(frozen=True, slots=True)
class WalkedPassage:
    """A passage that a walk came to.

    score: in (0, 1]. start, end: document offsets of the sentence that speaks for it; both 0 when none does.
    """

    chunk_id: str
    score: float
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class GraphWalk:
    """What a walk found: passages, the best first, and the names along the best path.

    hops: steps of the best path. names, terms: how many names and words of the question the walk began with.
    gain: what the best path through several passages is worth beyond the best sentence alone, both in shares of the
    question; NO_CHAIN without such a path.
    """

    passages: tuple[WalkedPassage, ...] = ()
    path: tuple[str, ...] = ()
    hops: int = 0
    names: int = 0
    terms: int = 0
    gain: float = NO_CHAIN


@dataclass(frozen=True, slots=True)
class GraphName:
    """A name of the graph: `key` is its folded form, `idf` ln(1 + passages / passages that hold it)."""

    key: str
    name: str
    idf: float


@dataclass(frozen=True, slots=True)
class GraphContent:
    """A whole graph, sorted.

    passages: (chunk id, document). mentions: (key of a name, chunk id that holds it). relations: (key of the subject,
    verb phrase, key of the object), as often as it is said.
    """

    names: tuple[GraphName, ...]
    passages: tuple[tuple[str, str], ...]
    mentions: tuple[tuple[str, str], ...]
    relations: tuple[tuple[str, str, str], ...]
