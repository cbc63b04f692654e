"""Owns what one passage says for its home: words, meaning, heading and names, as a sum."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.config.sections import RoutingSettings
from polyrag_cli.routing.evidence.adding import added
from polyrag_cli.routing.evidence.content import ContentWord
from polyrag_cli.stores.records import LexicalHit, StoredChunk, WindowHit
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.words import words
from polyrag_cli.types import Evidence

# From this share of the clause on, evidence is called after the heading that holds it.
_NAMED_HEADING = 0.34


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as evidence reads it: the routes that it is home to, its folded heading and text, and its name."""

    homes: tuple[str, ...]
    folded: str
    heading_stems: frozenset[str]
    label: str


@dataclass(frozen=True, slots=True)
class Met:
    """How a clause meets a passage: `coverage` by rarity and `bm25` over the most that it could be, both 0–1, and the
    cosine of its best window, None without an embedder."""

    coverage: float
    bm25: float
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Named:
    """A name that a clause and the graph share: how it is met in a folded text, and how strongly the clause holds it
    (0–1)."""

    name: str
    pattern: re.Pattern[str]
    strength: float


def passage(stored: StoredChunk, routes: frozenset[str], free_homes: tuple[str, ...]) -> Passage:
    """A stored chunk as evidence reads it.

    routes: names of those configured; free_homes: where a chunk belongs whose home was configured away.
    """
    chunk = stored.chunk
    homes = tuple(home for home in (stored.route.home, *stored.route.also) if home in routes)
    return Passage(
        homes or free_homes,
        f"{fold(chunk.heading)}\n{fold(chunk.text)}",
        frozenset(stem for word in words(chunk.heading) for stem in all_stems(word.folded)),
        chunk.heading or chunk.title or chunk.document,
    )


def met_passages(
    lexical: Sequence[LexicalHit], nearest: Sequence[WindowHit] | None, content: Sequence[ContentWord]
) -> dict[str, Met]:
    """How the clause meets each chunk that was found by words or by meaning, by the chunk's id, in the order of ids.

    nearest: None without an embedder. A chunk that isn't among the nearest is at most as near as the last of them.
    """
    by_words = {hit.chunk_id: hit for hit in lexical}
    cosines = {hit.chunk_id: max(0.0, float(hit.score)) for hit in nearest or ()}
    floor = min(cosines.values(), default=0.0)
    mass = sum(word.bm25_idf for word in content)
    found: dict[str, Met] = {}
    for chunk_id in sorted(by_words.keys() | cosines.keys()):
        hit = by_words.get(chunk_id)
        coverage, bm25 = (hit.coverage, hit.score / mass if mass else 0.0) if hit else (0.0, 0.0)
        found[chunk_id] = Met(coverage, bm25, None if nearest is None else cosines.get(chunk_id, floor))
    return found


def passage_evidence(
    read: Passage,
    met: Met,
    content: Sequence[ContentWord],
    known: float,
    names: Sequence[Named],
    settings: RoutingSettings,
) -> Evidence:
    """A passage's evidence, called after what the clause shares with it.

    known · (coverage_weight · coverage + bm25_weight · bm25 + cosine_weight · cosine) + (1 - known) · cosine
    + heading_weight · heading + entity_weight · entity. What no store knows of the clause is left to the cosine;
    heading: the share of the clause, by rarity, that stands in the passage's heading; entity: the strongest name that
    clause and passage share. Without an embedder words carry the scale of the cosine too.

    known: the share, by rarity, of the clause's words that any store holds.
    """
    share = 1.0 - settings.cosine_weight
    scale = 1.0 if met.cosine is not None or not share else 1.0 / share
    coverage = settings.coverage_weight * met.coverage
    by_words = coverage + settings.bm25_weight * met.bm25
    cosine = met.cosine if met.cosine is not None else 0.0
    base = known * (scale * by_words + settings.cosine_weight * cosine) + (1.0 - known) * cosine
    heading = _heading_share(read, content)
    named = max(
        (one for one in names if one.pattern.search(read.folded)),
        key=lambda one: (one.strength, len(one.name), one.name),
        default=None,
    )
    with_heading = base + settings.heading_weight * heading
    totals = {
        "coverage": known * scale * coverage,
        "bm25": known * scale * by_words,
        "cosine": base,
        "heading": with_heading,
        "entity": with_heading + settings.entity_weight * (min(1.0, named.strength) if named is not None else 0.0),
    }
    if named is not None:
        return added("entity", named.name, totals)
    return added("heading" if heading >= _NAMED_HEADING else "text", read.label, totals)


def met_names(matches: Sequence[tuple[str, float]]) -> list[Named]:
    """The graph's matches, (name, strength) each, as they are looked for in passages."""
    folded = [(name, fold(name), strength) for name, strength in matches]
    return [
        Named(name, re.compile(rf"(?<!\w){re.escape(needle)}(?!\w)"), strength)
        for name, needle, strength in folded
        if needle
    ]


def strongest_by_home(found: Mapping[str, tuple[Passage, Evidence]]) -> dict[str, Evidence]:
    """The strongest evidence per home of these passages, the first of equals in the order given."""
    best: dict[str, Evidence] = {}
    for read, item in found.values():
        for home in read.homes:
            if home not in best or item.score > best[home].score:
                best[home] = item
    return best


def _heading_share(read: Passage, content: Sequence[ContentWord]) -> float:
    mass = sum(word.idf for word in content)
    if not mass or not read.heading_stems:
        return 0.0
    return sum(word.idf for word in content if not read.heading_stems.isdisjoint(word.stems)) / mass
