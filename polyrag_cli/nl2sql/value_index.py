"""Owns the values of a table's columns by their words: whole, as members of a list, and by parts of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import all_stems

# A cell longer than this is prose, of which no part names anything.
_PROSE_WORDS = 40
# What parts the members of a list, or a name from what is said of it.
_MEMBERS = re.compile(r"\n|,\s|;|\s/\s|[()]|–\s|\s[-–]\s|&|\[[^\]]*\]")
# Shorter words are spelled alike by chance.
_SPELLED = 5
# Inflections share their first letters.
_PREFIX = 3
# Addresses name nothing by their parts.
_ADDRESS = re.compile(r"\S*(?:://|www\.)\S*|\S+@\S+")
_RATIO = 86.0

Parts = Callable[[str], tuple[str, ...]]
"""Gives the folded words of a value."""


class ValueIndex:
    """Finds the values that words of a question name; built once for a table."""

    def __init__(self, values: Iterable[tuple[int, str]], parts_of: Parts = word_parts) -> None:
        """Take (column position, value) pairs. parts_of: gives the words of a value."""
        self.words: dict[ValueRef, tuple[str, ...]] = {}
        self.members: dict[tuple[str, ...], list[ValueRef]] = {}
        self.holding: dict[str, list[ValueRef]] = {}
        for position, value in values:
            parts = _naming_parts(value, parts_of)
            if not parts:
                continue
            ref = ValueRef(position, value)
            self.words[ref] = parts
            for word in dict.fromkeys(parts):
                self.holding.setdefault(word, []).append(ref)
            pieces = _MEMBERS.split(value)
            for piece in pieces if len(pieces) > 1 else ():
                key = word_parts(piece)
                if key and key != parts:
                    refs = self.members.setdefault(key, [])
                    if not refs or refs[-1] != ref:
                        refs.append(ref)

    def containing(self, span: Sequence[str]) -> list[ValueRef]:
        """Return the values in which the words of a span follow each other."""
        lists = [self.holding.get(word) for word in span]
        if not all(lists):
            return []
        shortest = min((refs for refs in lists if refs), key=len)
        return [ref for ref in shortest if _follows(span, self.words[ref])]

    def listing(self, span: Sequence[str]) -> list[ValueRef]:
        """Return the values in which the words of a whole value stand beside other whole values of the column, with
        one word between them ("Ira Bond and Lou Kay").
        """
        found: list[ValueRef] = []
        for ref in self.containing(span):
            parts = self.words[ref]
            if len(parts) > len(span) + 1:
                first = next(i for i in range(len(parts)) if parts[i : i + len(span)] == tuple(span))
                before, behind = parts[: max(0, first - 1)], parts[first + len(span) + 1 :]
                rest = [piece for piece in (before, behind) if piece]
                if rest and all((ref.position, piece) in self._whole for piece in rest):
                    found.append(ref)
        return found

    @cached_property
    def _whole(self) -> frozenset[tuple[int, tuple[str, ...]]]:
        return frozenset((ref.position, parts) for ref, parts in self.words.items())

    def inflected(self, word: str, stems: Sequence[str]) -> list[ValueRef]:
        """Return the values that hold a word with one of these stems and the same first letters."""
        wanted = set(stems)
        alike = [near for near in self._by_prefix.get(word[:_PREFIX], ()) if not wanted.isdisjoint(all_stems(near))]
        return list(dict.fromkeys(ref for near in alike for ref in self.holding[near]))

    def spelled(self, word: str) -> list[ValueRef]:
        """Return the values that hold a word spelled nearly alike, with the same first letter."""
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        if len(word) < _SPELLED:
            return []
        near = process.extract(
            word, self._long.get(word[0], ()), scorer=ratio, processor=None, score_cutoff=_RATIO, limit=3
        )
        words = sorted(found for found, _, _ in near)
        return list(dict.fromkeys(ref for found in words for ref in self.holding[found]))

    @cached_property
    def _by_prefix(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in self.holding:
            if word.isalpha():
                found.setdefault(word[:_PREFIX], []).append(word)
        return found

    @cached_property
    def _long(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in sorted(self.holding):
            if len(word) >= _SPELLED and word.isalpha():
                found.setdefault(word[0], []).append(word)
        return found


def index_words(values: Iterable[tuple[int, str]], parts_of: Parts) -> frozenset[str]:
    """Return the words under which a `ValueIndex` holds values."""
    return frozenset(word for _, value in values for word in _naming_parts(value, parts_of))


def _naming_parts(value: str, parts_of: Parts) -> tuple[str, ...]:
    parts = () if _ADDRESS.fullmatch(value.strip()) else parts_of(value)
    return parts if len(parts) <= _PROSE_WORDS else ()


def _follows(span: Sequence[str], parts: Sequence[str]) -> bool:
    length = len(span)
    return any(tuple(parts[i : i + length]) == tuple(span) for i in range(len(parts) - length + 1))
