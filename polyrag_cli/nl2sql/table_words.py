"""Owns the lists of what a word may share with a table, as rows that can be kept: one for each kind, word and table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from polyrag_cli.nl2sql.notions import PEOPLE, PLACES
from polyrag_cli.nl2sql.polarity import bases
from polyrag_cli.nl2sql.value_index import index_words
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import aligned_stems, all_stems

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import TableEntry

# What a word is to a table; what a row's value holds, where it holds anything.
COLUMN_STEM = "c"  # of a label's word; the column's name
CONCEPT = "k"  # notion of a label's word or the table's name; the column's name, "" of the table's
WORD = "w"  # of a cell: how it is found (FOUND_* added up), then a value that holds it where hardly another does
STEM = "s"  # of a cell's word or the table's name
NAME = "n"  # word of the table's name
NAME_STEM = "t"
WHOLE = "f"  # all words of a cell, a space apart; the first such value
BEGINS = "b"  # first word of those; how many words the longest has
LONE = "1"  # stem of a cell's only word; JSON: (word, bits of its languages, value) in order
HEAD = "h"  # stem of the noun of a cell's two to four words; JSON: (column or -1 for several, whether people, value)
RUN = "m"  # number of a cell's words and the first letters of the first
LABEL = "l"  # a column's label as compared by meaning
LABEL_WORD = "v"
OPPOSED = "o"  # stem of what a label's word is without a prefix
LONE_LABEL = "j"  # stem of a label of one word
HEADER = "p"  # stems of a label's first two words; JSON: labels of several words, each a list of stems a word
ROLE = "r"  # money, dated, with_date, one_date, trades; the first column of dates or months, of dates
FOUND_NAMING, FOUND_HELD = 1, 2
# In how many values a word may stand to name any of them.
_FEW = 20
_NEAR_VALUES = 3
WordRow = tuple[str, str, str]
"""Kind, word, value ("" for none)."""


class WordLists(Protocol):
    """Where the rows of all tables are found again; a table is its position among them."""

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        """(Table, value) of each row of a kind and word, by table."""

    def words(self, kind: str) -> list[str]:
        """The different words of a kind, sorted."""

    def near(self, least: int, most: int) -> Iterable[str]:
        """What values can be found by when it is misspelled, of so many letters: a word or a value; repeatedly for
        several tables.
        """

    def spelled(self, text: str) -> Iterable[tuple[str, ...]]:
        """The first three values of each table that one of `near` stands for."""


class MemoryWords:
    """The rows of tables that are in memory."""

    def __init__(self, tables: Mapping[int, TableEntry]) -> None:
        """Take tables by their positions."""
        self._tables = tables
        self._rows: dict[tuple[str, str], list[tuple[int, str]]] | None = None

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        return self._made().get((kind, word), ())

    def words(self, kind: str) -> list[str]:
        return sorted(word for known, word in self._made() if known == kind)

    def near(self, least: int, most: int) -> Iterator[str]:
        return (text for found in self._near for text in found if least <= len(fold(text)) <= most)

    def spelled(self, text: str) -> Iterator[tuple[str, ...]]:
        return (found[text] for found in self._near if text in found)

    @cached_property
    def _near(self) -> list[dict[str, tuple[str, ...]]]:
        return [near_texts(table) for table in self._tables.values()]

    def _made(self) -> Mapping[tuple[str, str], list[tuple[int, str]]]:
        if self._rows is None:
            self._rows = {}
            for position in sorted(self._tables):
                for kind, word, value in word_rows(self._tables[position]):
                    self._rows.setdefault((kind, word), []).append((position, value))
        return self._rows


def word_rows(table: TableEntry) -> Iterator[WordRow]:
    """Yield all that words may share with a table, each kind and word once."""
    yield from _of_columns(table)
    yield from _of_name(table)
    yield from _of_cells(table)


def near_texts(table: TableEntry) -> dict[str, tuple[str, ...]]:
    """Return the values that name things, as far as the first three in order, by each of their words and as a whole."""
    found: dict[str, set[str]] = {}
    for ref, parts in table.cells.words.items():
        for part in (*parts, ref.value):
            found.setdefault(part, set()).add(ref.value)
    return {text: tuple(sorted(values)[:_NEAR_VALUES]) for text, values in found.items()}


def _of_columns(table: TableEntry) -> Iterator[WordRow]:
    def name_of(position: int) -> str:
        return table.columns[position].column.name

    yield from ((COLUMN_STEM, stem, name_of(found[0])) for stem, found in table.by_stem.items())
    concepts = {concept: name_of(found[0]) for concept, found in table.by_concept.items()}
    concepts.update((concept, "") for concept in table.label_concepts if concept not in concepts)
    yield from ((CONCEPT, concept, name) for concept, name in concepts.items())
    yield from ((LABEL, phrase, "") for phrase in table.phrases)
    words = dict.fromkeys(word for column in table.columns for word in column.words)
    yield from ((LABEL_WORD, word, "") for word in words)
    opposed = {stem for word in words for base, _ in bases(word) for stem in all_stems(base)}
    yield from ((OPPOSED, stem, "") for stem in sorted(opposed))
    lone = {stem for column in table.columns if len(column.stems) == 1 for stem in column.stems[0]}
    yield from ((LONE_LABEL, stem, "") for stem in sorted(lone))
    yield from _headers(table)
    yield from _roles(table)


def _headers(table: TableEntry) -> Iterator[WordRow]:
    found: dict[str, list[list[list[str]]]] = {}
    for stems in dict.fromkeys(column.stems for column in table.columns if len(column.stems) > 1):
        header = [sorted(each) for each in stems]
        for pair in sorted({f"{a} {b}" for a in stems[0] for b in stems[1]}):
            found.setdefault(pair, []).append(header)
    yield from ((HEADER, pair, _json(headers)) for pair, headers in found.items())


def _roles(table: TableEntry) -> Iterator[WordRow]:
    dates = [column.column.name for column in table.columns if column.role == "date"]
    dated = [column.column.name for column in table.columns if column.role in ("date", "month")]
    if table.money:
        yield ROLE, "money", ""
    if table.of_trades:
        yield ROLE, "trades", ""
    if dated:
        yield ROLE, "dated", dated[0]
    if dates:
        yield ROLE, "with_date", dates[0]
    if len(dates) == 1:
        yield ROLE, "one_date", ""


def _of_name(table: TableEntry) -> Iterator[WordRow]:
    yield from ((NAME, word, "") for word in sorted(table.label_words))
    yield from ((NAME_STEM, stem, "") for stem in sorted(table.label_stems))


def _of_cells(table: TableEntry) -> Iterator[WordRow]:
    cells = table.cells
    yield from ((STEM, stem, "") for stem in sorted(cells.stems() | table.label_stems))
    yield from ((WHOLE, " ".join(words), refs[0].value) for words, refs in cells.whole.items())
    yield from ((BEGINS, word, str(length)) for word, length in cells.starts.items())
    naming = {word for name in cells.whole for word in name} | cells.parts.keys()
    held = index_words(table.naming_values, table.parts_of)
    for word in sorted(naming | held):
        found = FOUND_NAMING * (word in naming) + FOUND_HELD * (word in held)
        refs = cells.parts.get(word, ())
        yield WORD, word, f"{found}{refs[0].value}" if 0 < len(refs) <= _FEW else str(found)
    lone: dict[str, list[tuple[str, int, str]]] = {}
    for ref, content in cells.lone():
        stems = aligned_stems(content)
        for stem in dict.fromkeys(stems):
            bits = sum(1 << i for i, each in enumerate(stems) if each == stem)
            lone.setdefault(stem, []).append((content, bits, ref.value))
    yield from ((LONE, stem, _json(found)) for stem, found in lone.items())
    for stem, headed in cells.heads(last=table.lexicon.grammar.noun_last).items():
        positions = {ref.position for ref in headed}
        position = min(positions) if len(positions) == 1 else -1
        people = position >= 0 and bool(table.columns[position].concepts & (PEOPLE | PLACES))
        yield HEAD, stem, _json((position, people, min(ref.value for ref in headed)))
    yield from ((RUN, run, "") for run in cells.runs())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
