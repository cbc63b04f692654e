"""Owns how the words of a table's cells are found again in a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.lexicon import NEGATIONS, SAME_NAMES
from polyrag_cli.nl2sql.question import is_empty_word, word_parts
from polyrag_cli.text.stem import both_stems

# A cell longer than this is prose: its words are no names.
_NAME_WORDS = 8
_PROSE_WORDS = 12
_HEADED_WORDS = 4
# Inflections share their first letters.
_PREFIX = 3

_ALIASES: dict[str, tuple[tuple[str, ...], ...]] = {
    name: tuple(tuple(other.split()) for other in sorted(names)) for names in SAME_NAMES for name in names
}


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A cell value: the column's position and the value as stored."""

    position: int
    value: str


class CellWords:
    """Values of a table by their words: whole, as inflected, and by one of their words."""

    def __init__(self, values: Iterable[tuple[int, str]]) -> None:
        """Take (column position, value) pairs."""
        self.whole: dict[tuple[str, ...], list[ValueRef]] = {}
        self.parts: dict[str, list[ValueRef]] = {}
        self.words: dict[ValueRef, tuple[str, ...]] = {}
        # The longest value that starts with a word: where no value starts, none is looked for.
        self.starts: dict[str, int] = {}
        self._first: dict[str, list[ValueRef]] = {}
        self._last: dict[str, list[ValueRef]] = {}
        self._inflected: dict[tuple[int, str], list[tuple[ValueRef, tuple[str, ...]]]] = {}
        for position, value in values:
            parts = word_parts(value)
            if parts and len(parts) <= _PROSE_WORDS:
                self._add(ValueRef(position, value), parts)

    def _add(self, ref: ValueRef, parts: tuple[str, ...]) -> None:
        self._name(parts, ref)
        self.words[ref] = parts
        content = tuple(p for p in parts if not is_empty_word(p)) if len(parts) > 1 else parts
        for name in _ALIASES.get(" ".join(parts), ()):
            self._name(name, ref)
        denied = bool(NEGATIONS.intersection(parts))
        if 2 <= len(content) <= _HEADED_WORDS and parts[0] not in NEGATIONS:
            self._head(ref, self._first, content[0])
            if not denied:
                self._head(ref, self._last, content[-1])
        # A cell that denies something isn't met by what it denies.
        if denied:
            self._inflected.setdefault((len(parts), parts[0][:_PREFIX]), []).append((ref, parts))
            return
        if len(content) > 1 and content != parts:
            self._name(content, ref)
        if 2 <= len(content) <= 6 or content == parts:
            self._inflected.setdefault((len(content), content[0][:_PREFIX]), []).append((ref, content))
        if len(parts) <= _NAME_WORDS:
            for part in dict.fromkeys(content):
                self.parts.setdefault(part, []).append(ref)

    def _head(self, ref: ValueRef, heads: dict[str, list[ValueRef]], word: str) -> None:
        for stem in dict.fromkeys(both_stems(word)):
            heads.setdefault(stem, []).append(ref)

    def _name(self, key: tuple[str, ...], ref: ValueRef) -> None:
        self.starts[key[0]] = max(len(key), self.starts.get(key[0], 0))
        refs = self.whole.setdefault(key, [])
        if ref not in refs:
            refs.append(ref)

    def stems(self) -> frozenset[str]:
        """Return the stems of every word by which `inflected` and `headed` find a value."""
        contents = {word for near in self._inflected.values() for _, content in near for word in content}
        return frozenset(stem for word in contents for stem in both_stems(word)).union(self._first, self._last)

    def headed(self, stems: Sequence[str], last: bool) -> list[ValueRef]:
        """Return the values of 2–4 words whose noun has one of these stems: their first word, or their last."""
        heads = self._last if last else self._first
        return list(dict.fromkeys(ref for stem in stems for ref in heads.get(stem, ())))

    def inflected(self, words: Sequence[tuple[str, tuple[str, ...]]]) -> list[ValueRef]:
        """Return the values whose content words are inflections of these, in the language that first gives any.

        Args:
            words: (folded word, its stems) in order.
        """
        if not words:
            return []
        near = self._inflected.get((len(words), words[0][0][:_PREFIX]), ())
        asked = [stems_asked(word, stems) for word, stems in words]
        for language in (0, 1):
            wanted = tuple(_one(stems, language) for stems in asked)
            found = [ref for ref, content in near if tuple(_one(both_stems(p), language) for p in content) == wanted]
            if found:
                return found
        return []


def stems_asked(word: str, stems: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems by which a question's folded word may be the inflection of a cell's."""
    return both_stems(_singular(word)) if word.endswith("is") else stems


_PLURAL_IL = re.compile(r"(?<=..[bcdfgnrtv])is$")


def _singular(word: str) -> str:
    """Return a plural in -is of a Portuguese word in -il ("infantis") in the singular."""
    return _PLURAL_IL.sub("il", word)


def _one(stems: tuple[str, ...], language: int) -> str:
    return stems[min(language, len(stems) - 1)]
