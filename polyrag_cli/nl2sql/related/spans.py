"""Owns spans: the parts that neighbouring words of a question may be, and the ways to read it as spans side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.related.parts import Part

# So many parts are kept that the same words may be.
_OPTIONS = 10


@dataclass(frozen=True, slots=True)
class Option:
    """A part that words may be; cost: what speaks against it, 0 where they are just that."""

    part: Part
    cost: float


@dataclass(frozen=True)
class Span:
    """Words from `first` to `last` with what they may be. strength: how much speaks for taking them together."""

    first: int
    last: int
    options: tuple[Option, ...]
    strength: float

    def overlaps(self, other: Span) -> bool:
        """Whether a word is in both."""
        return self.first <= other.last and other.first <= self.last


class FoundSpans:
    """Collects what words may be, until all is found."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], list[tuple[Option, float]]] = {}

    def add(self, first: int, last: int, part: Part, cost: float, strength: float) -> None:
        """Note that words may be a part. strength: 0–1.15, how much speaks for a link of one word's length."""
        length = last - first + 1
        worth = round(strength * length**0.5 + 0.15 * length, 6)
        self._found.setdefault((first, last), []).append((Option(part, round(cost, 6)), worth))

    def of(self, first: int, last: int) -> list[Part]:
        """Return what just these words may be."""
        return [option.part for option, _ in self._found.get((first, last), ())]

    def surely_named(self, i: int, sure: float) -> bool:
        """Whether a word is in a span for which at least so much speaks."""
        return any(
            first <= i <= last and any(worth >= sure for _, worth in found)
            for (first, last), found in self._found.items()
        )

    def spans(self) -> list[Span]:
        """Return the spans, by place, each with its likeliest parts."""
        return [_span(place, found) for place, found in sorted(self._found.items())]


def _span(place: tuple[int, int], found: Sequence[tuple[Option, float]]) -> Span:
    best: dict[Part, Option] = {}
    for option, _ in found:
        if option.part not in best or option.cost < best[option.part].cost:
            best[option.part] = option
    strength = max(strength for _, strength in found)
    ordered = sorted(best.values(), key=lambda o: (o.cost, repr(o.part)))
    return Span(place[0], place[1], tuple(ordered[:_OPTIONS]), strength)


def segmentations(spans: Sequence[Span], most: int = 5) -> Iterator[tuple[Span, ...]]:
    """Yield ways to read the words as spans that don't overlap, the strongest first."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    main = _chosen(spans, ())
    variants: list[Iterable[Span]] = [()]
    # Each of the chosen that stands in the way of others may be left out in their favour.
    variants += [(span,) for span in main if any(span.overlaps(other) and other is not span for other in spans)]
    for without in variants[:most]:
        chosen = _chosen(spans, without)
        key = tuple((span.first, span.last) for span in chosen)
        if key not in seen:
            seen.add(key)
            yield chosen


def _chosen(spans: Sequence[Span], without: Iterable[Span]) -> tuple[Span, ...]:
    left = list(without)
    order = sorted((s for s in spans if s not in left), key=lambda s: (-s.strength, s.first, s.last))
    chosen: list[Span] = []
    for span in order:
        if not any(span.overlaps(other) for other in chosen):
            chosen.append(span)
    return tuple(sorted(chosen, key=lambda s: s.first))
