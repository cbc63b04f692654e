"""Owns the lists of tables by what a word may share with them: words, stems and notions of columns, cells and names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from polyrag_cli.lru import Bounded
from polyrag_cli.nl2sql import table_words as kinds
from polyrag_cli.nl2sql.cells import same_beginning
from polyrag_cli.nl2sql.spelling import Spellings, Vocabulary
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import aligned_stems

Header = tuple[frozenset[str], ...]
Value = TypeVar("Value")
# Tables that words asked before are spelled like, and rows of words asked before, over all words.
_MAX_ALIKE = 100_000
_MAX_ROWS = 400_000


class AskedRows:
    """What was found in the tables of one commit, for the questions that follow; thread-safe."""

    def __init__(self) -> None:
        self.rows: Bounded[tuple[str, str], Sequence[tuple[int, str]]] = Bounded(_MAX_ROWS)
        self.alike: Bounded[str, list[int]] = Bounded(_MAX_ALIKE)
        self.vocabulary: Vocabulary | None = None


class TableLists:
    """The tables under the words of one kind; a word's tables are positions, ascending."""

    def __init__(self, rows: Callable[[str, str], Sequence[tuple[int, str]]], kind: str) -> None:
        self._rows = rows
        self._kind = kind

    def get(self, word: str) -> Sequence[int]:
        """Return the tables of a word."""
        return [position for position, _ in self._rows(self._kind, word)]

    def values(self, word: str) -> Mapping[int, str]:
        """Return what rows of a word say, by table."""
        return dict(self._rows(self._kind, word))


class Postings:
    """Positions of tables under every key by which a question's word may reach them; thread-safe.

    column_stems, concepts: of column labels, with the column (concepts: of the table's name as well, without one);
    stems: of cells and of the table's own name; names, name_stems: words and stems of the table's own name. opposed:
    stems of what column labels are without a prefix. roles: tables with quantities of money ("money"), called after
    trades ("trades"), with a column of dates or months ("dated"), of dates ("with_date"), with one of dates
    ("one_date").
    """

    def __init__(self, lists: kinds.WordLists, asked: AskedRows | None = None) -> None:
        """asked: what was found in the same tables before, to be found there again."""
        self._lists = lists
        self._asked = asked or AskedRows()
        self.column_stems = TableLists(self._rows, kinds.COLUMN_STEM)
        self.concepts = TableLists(self._rows, kinds.CONCEPT)
        self.stems = TableLists(self._rows, kinds.STEM)
        self.names = TableLists(self._rows, kinds.NAME)
        self.name_stems = TableLists(self._rows, kinds.NAME_STEM)
        self.opposed = TableLists(self._rows, kinds.OPPOSED)
        self.labels = TableLists(self._rows, kinds.LABEL)
        self.roles = TableLists(self._rows, kinds.ROLE)
        self.runs = TableLists(self._rows, kinds.RUN)

    def _rows(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        found = self._asked.rows.get((kind, word))
        if found is None:
            found = self._lists.find(kind, word)
            self._asked.rows.put((kind, word), found, len(found))
        return found

    def whole(self, words: Sequence[str]) -> Mapping[int, str]:
        """Return the tables with a cell of exactly these words, and that cell."""
        return dict(self._rows(kinds.WHOLE, " ".join(words)))

    def longest(self, word: str) -> int:
        """Return how many words the longest cell has that begins with this one; 0 where none does."""
        return max((int(length) for _, length in self._rows(kinds.BEGINS, word)), default=0)

    def words(self, word: str) -> list[int]:
        """Return the tables with a cell that is named by a word, or by several of which it is one."""
        return [position for position, value in self._rows(kinds.WORD, word) if int(value[0]) & kinds.FOUND_NAMING]

    def holding(self, word: str) -> list[int]:
        """Return the tables of which any value that may be listed holds a word."""
        return [position for position, value in self._rows(kinds.WORD, word) if int(value[0]) & kinds.FOUND_HELD]

    def parts(self, word: str) -> Mapping[int, str]:
        """Return the tables of which few values hold a word, with the first of those."""
        return {position: value[1:] for position, value in self._rows(kinds.WORD, word) if value[1:]}

    def inflected(self, word: str, singular: str) -> Mapping[int, str]:
        """Return the tables with a cell of one word of which a folded word is the inflection, with the first such cell,
        of the language that first gives any; singular: the word as it is compared.
        """
        wanted = aligned_stems(singular)
        found: dict[int, tuple[int, str]] = {}
        for stem in dict.fromkeys(wanted):
            asked = sum(1 << i for i, each in enumerate(wanted) if each == stem)
            for position, row in self._rows(kinds.LONE, stem):
                for content, bits, value in json.loads(row):
                    shared = asked & bits
                    language = (shared & -shared).bit_length()
                    if (
                        shared
                        and same_beginning(word, content)
                        and (position not in found or language < found[position][0])
                    ):
                        found[position] = (language, value)
        return {position: value for position, (_, value) in found.items()}

    def headed(self, stems: Sequence[str]) -> Mapping[int, str]:
        """Return the tables of which one column names kinds of what a noun is common to, with the first of them in
        order; none where it names people or places.
        """
        columns: dict[int, set[int]] = {}
        values: dict[int, list[str]] = {}
        people: set[int] = set()
        for stem in stems:
            for position, row in self._rows(kinds.HEAD, stem):
                column, of_people, value = json.loads(row)
                columns.setdefault(position, set()).update((column,) if column >= 0 else (-1, -2))
                values.setdefault(position, []).append(value)
                people.update((position,) if of_people else ())
        return {p: min(values[p]) for p, found in columns.items() if len(found) == 1 and p not in people}

    def headers(self, first: str, second: str) -> list[Header]:
        """Return the labels of several words that begin with these stems, as stems of each word."""
        rows = self._rows(kinds.HEADER, f"{first} {second}")
        found = (tuple(map(frozenset, header)) for _, row in rows for header in json.loads(row))
        return list(dict.fromkeys(found))

    def is_lone_label(self, stems: Sequence[str]) -> bool:
        """Whether a label of one word has one of these stems."""
        return any(self._rows(kinds.LONE_LABEL, stem) for stem in stems)

    @cached_property
    def all_labels(self) -> tuple[str, ...]:
        """The labels of all columns as compared by meaning, sorted."""
        return tuple(self._lists.words(kinds.LABEL))

    def spelled_like(self, word: str) -> list[int]:
        """Return the tables of which a label has a word that is spelled like this one; may name one repeatedly."""
        kept = self._asked.alike.get(word)
        if kept is None:
            if self._asked.vocabulary is None:
                self._asked.vocabulary = Vocabulary(self._lists.words(kinds.LABEL_WORD))
            near = self._asked.vocabulary.near(word)
            kept = [position for label in near for position, _ in self._rows(kinds.LABEL_WORD, label)]
            self._asked.alike.put(word, kept, len(kept))
        return kept

    def nearest_values(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the values that are spelled most like words that name none where they stand, best first, at most 3.

        None is such a word itself, which may be a value of another table.
        """
        if not words:
            return ()
        least, most = zip(*map(Spellings.lengths, words), strict=True)
        # Read and folded once for all of the words: among many tables, these are many thousand texts.
        spellings = Spellings(frozenset(self._lists.near(min(least), max(most))))
        texts = (text for word in words for text in spellings.nearest(word))
        same = {fold(word) for word in words}
        found = dict.fromkeys(value for text in texts for value in self._spelled(text))
        return tuple(value for value in found if fold(value) not in same)[:3]

    def _spelled(self, text: str) -> list[str]:
        return sorted({value for found in self._lists.spelled(text) for value in found})[:3]
