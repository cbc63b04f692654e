"""Owns how the words of a table's cells are found again in a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from polyrag_cli.languages import all_languages
from polyrag_cli.nl2sql.lexicon import Lexicon, every_language
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import aligned_stems, all_stems

# A cell longer than this is prose: its words are no names.
_NAME_WORDS = 8
_PROSE_WORDS = 12
_HEADED_WORDS = 4
# Inflections share their first letters.
_PREFIX = 3

# Shorter names of days are words of their own ("sat").
_DAY_NAME = 4


@cache
def _aliases() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """By a name that is the same thing in every language, all of its names: compass points, days of the week, yes."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for language in all_languages():
        for name, phrases in language.tables.same_names.items():
            groups.setdefault(name, []).extend(phrases)
        for number, names in enumerate(language.dates.weekdays):
            groups.setdefault(f"weekday {number}", []).extend(
                word_parts(day) for day in sorted(names) if len(day) >= _DAY_NAME
            )
        groups.setdefault("yes", []).extend(pair[:1] for pair in language.cells.booleans[:1])
    named = [tuple(dict.fromkeys(sorted(names))) for names in groups.values()]
    return {name: names for names in named for name in names}


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A cell value: the column's position and the value as stored."""

    position: int
    value: str


class CellWords:
    """Values of a table by their words: whole, as inflected, and by one of their words."""

    def __init__(
        self,
        values: Iterable[tuple[int, str]],
        lexicon: Lexicon,
        parts_of: Callable[[str], tuple[str, ...]] = word_parts,
    ) -> None:
        """Take (column position, value) pairs.

        lexicon: the words of the table's language. parts_of: gives the words of a value.
        """
        self._lexicon = lexicon
        self.whole: dict[tuple[str, ...], list[ValueRef]] = {}
        self.parts: dict[str, list[ValueRef]] = {}
        self.words: dict[ValueRef, tuple[str, ...]] = {}
        # The longest value that starts with a word: where no value starts, none is looked for.
        self.starts: dict[str, int] = {}
        self._first: dict[str, list[ValueRef]] = {}
        self._last: dict[str, list[ValueRef]] = {}
        self._stemmed: dict[bool, Mapping[str, Sequence[ValueRef]]] = {}
        self._inflected: dict[tuple[int, str], list[tuple[ValueRef, tuple[str, ...]]]] = {}
        for position, value in values:
            parts = parts_of(value)
            if parts and len(parts) <= _PROSE_WORDS:
                self._add(ValueRef(position, value), parts)

    def _add(self, ref: ValueRef, parts: tuple[str, ...]) -> None:
        self._name(parts, ref)
        self.words[ref] = parts
        is_function_word, negations = self._lexicon.is_function_word, self._lexicon.negation.words
        content = tuple(p for p in parts if not is_function_word(p)) if len(parts) > 1 else parts
        for name in _aliases().get(parts, ()):
            self._name(name, ref)
        denied = not negations.isdisjoint(parts)
        if 2 <= len(content) <= _HEADED_WORDS and parts[0] not in negations:
            self._first.setdefault(content[0], []).append(ref)
            if not denied:
                self._last.setdefault(content[-1], []).append(ref)
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

    def _name(self, key: tuple[str, ...], ref: ValueRef) -> None:
        self.starts[key[0]] = max(len(key), self.starts.get(key[0], 0))
        refs = self.whole.setdefault(key, [])
        if ref not in refs:
            refs.append(ref)

    def stems(self) -> frozenset[str]:
        """Return the stems of every word by which `inflected` and `headed` find a value."""
        contents = {word for near in self._inflected.values() for _, content in near for word in content}
        return frozenset(stem for word in contents for stem in all_stems(word)).union(
            self.heads(True), self.heads(False)
        )

    def heads(self, last: bool) -> Mapping[str, Sequence[ValueRef]]:
        """Return the values of 2–4 words by the stems of their noun: their first word, or their last."""
        if last not in self._stemmed:
            heads = self._last if last else self._first
            found: dict[str, list[ValueRef]] = {}
            for word, refs in heads.items():
                for stem in all_stems(word):
                    found.setdefault(stem, []).extend(refs)
            # As they stand in the table, whatever the words that their stem is of.
            places = {ref: place for place, ref in enumerate(self.words)}
            self._stemmed[last] = {stem: sorted(refs, key=places.__getitem__) for stem, refs in found.items()}
        return self._stemmed[last]

    def lone(self) -> Iterator[tuple[ValueRef, str]]:
        """Yield the values of one content word with that word, in the order in which `inflected` finds them."""
        for (length, _), near in self._inflected.items():
            if length == 1:
                yield from ((ref, content[0]) for ref, content in near)

    def runs(self) -> list[str]:
        """Return how many words values of several are found by and what the first begins with, as `run_of` has it."""
        return [f"{length} {prefix}" for length, prefix in self._inflected if length > 1]

    def headed(self, stems: Sequence[str], last: bool) -> list[ValueRef]:
        """Return the values of 2–4 words whose noun has one of these stems: their first word, or their last."""
        heads = self.heads(last)
        return list(dict.fromkeys(ref for stem in stems for ref in heads.get(stem, ())))

    def inflected(self, words: Sequence[tuple[str, tuple[str, ...]]]) -> list[ValueRef]:
        """Return the values whose content words are inflections of these, in the language that first gives any.

        Args:
            words: (folded word, its stems) in order.
        """
        if not words:
            return []
        near = self._inflected.get((len(words), words[0][0][:_PREFIX]), ())
        singulars = [every_language().unstemmed(word) for word, _ in words]
        for language, wanted in enumerate(zip(*map(aligned_stems, singulars), strict=True)):
            found = [ref for ref, content in near if tuple(aligned_stems(p)[language] for p in content) == wanted]
            if found:
                return found
        return []


def run_of(words: Sequence[str]) -> str:
    """Return under what `runs` names the values of as many words that `inflected` compares with some folded ones."""
    return f"{len(words)} {words[0][:_PREFIX]}"


def same_beginning(word: str, other: str) -> bool:
    """Whether two words begin alike, as those do of which one is an inflection of the other."""
    return word[:_PREFIX] == other[:_PREFIX]


def stems_asked(word: str, stems: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems by which a question's folded word may be the inflection of a cell's."""
    singular = every_language().unstemmed(word)
    return stems if singular == word else all_stems(singular)
