"""Owns the lists of tables by what a word may share with them: words, stems and notions of columns, cells and names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from polyrag_cli.lru import Bounded
from polyrag_cli.nl2sql.notions import UNLINKED
from polyrag_cli.nl2sql.polarity import bases
from polyrag_cli.nl2sql.spelling import Vocabulary
from polyrag_cli.text.stem import all_stems

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import TableEntry

K = TypeVar("K", bound=Hashable)
Header = tuple[frozenset[str], ...]
# Tables that words asked before are spelled like, over all words.
_MAX_ALIKE = 100_000


class Postings:
    """Positions of tables, ascending, under every key by which a question's word may reach them.

    whole: the words of a cell's name; starts: the longest of those by first word; words: any word of a cell that names
    something; stems: of cells and of the table's own name; column_stems, concepts and spelled: of column labels
    (concepts: of the table's name as well); names: words of the table's own name.
    opposed: stems of what column labels are without a prefix.
    single: stems of the labels of one word.
    headers: labels of several words, by stems of the first two. labels: whole labels as compared by meaning.
    money, dated, with_date, one_date: tables with quantities of money, with a column of dates or months, with one of
    dates, with exactly one of dates.
    """

    def __init__(self, tables: Sequence[TableEntry]) -> None:
        self.tables = tuple(tables)
        self.whole: dict[tuple[str, ...], list[int]] = {}
        self.starts: dict[str, int] = {}
        self.words: dict[str, list[int]] = {}
        self.stems: dict[str, list[int]] = {}
        self.column_stems: dict[str, list[int]] = {}
        self.concepts: dict[str, list[int]] = {}
        self.names: dict[str, list[int]] = {}
        self.opposed: dict[str, list[int]] = {}
        self.labels: dict[str, list[int]] = {}
        self.headers: dict[tuple[str, str], list[Header]] = {}
        self.money: list[int] = []
        self.dated: list[int] = []
        self.with_date: list[int] = []
        self.one_date: list[int] = []
        self._spelled: dict[str, list[int]] = {}
        self.single: set[str] = set()
        headers: dict[Header, None] = {}
        for position, table in enumerate(tables):
            self._add_cells(position, table)
            self._add_columns(position, table)
            self.single.update(stem for column in table.columns if len(column.stems) == 1 for stem in column.stems[0])
            headers.update((column.stems, None) for column in table.columns if len(column.stems) > 1)
        for header in headers:
            for pair in sorted({(a, b) for a in header[0] for b in header[1]}):
                self.headers.setdefault(pair, []).append(header)
        self._vocabulary = Vocabulary(self._spelled)
        self._alike: Bounded[str, list[int]] = Bounded(_MAX_ALIKE)

    def spelled_like(self, word: str) -> list[int]:
        """Return the tables of which a label has a word that is spelled like this one; may name one repeatedly."""
        kept = self._alike.get(word)
        if kept is None:
            kept = [position for label in self._vocabulary.near(word) for position in self._spelled[label]]
            self._alike.put(word, kept, len(kept))
        return kept

    def _add_cells(self, position: int, table: TableEntry) -> None:
        cells = table.cells
        _post(self.whole, cells.whole, position)
        for word, length in cells.starts.items():
            self.starts[word] = max(length, self.starts.get(word, 0))
        _post(self.words, {word for name in cells.whole for word in name} | cells.parts.keys(), position)
        _post(self.stems, cells.stems() | table.label_stems, position)

    def _add_columns(self, position: int, table: TableEntry) -> None:
        _post(self.column_stems, table.by_stem, position)
        notions = frozenset().union(*(column.concepts for column in table.columns))
        _post(self.concepts, (notions - UNLINKED) | table.label_concepts, position)
        _post(self.names, table.label_words, position)
        _post(self.labels, table.phrases, position)
        words = {word for column in table.columns for word in column.words}
        _post(self._spelled, words, position)
        _post(self.opposed, {stem for w in words for base, _ in bases(w) for stem in all_stems(base)}, position)
        roles = [column.role for column in table.columns]
        kinds = (
            (self.money, bool(table.money)),
            (self.dated, "date" in roles or "month" in roles),
            (self.with_date, "date" in roles),
            (self.one_date, roles.count("date") == 1),
        )
        for tables, holds in kinds:
            if holds:
                tables.append(position)


def _post(lists: dict[K, list[int]], keys: Iterable[K] | Mapping[K, object], position: int) -> None:
    for key in keys:
        lists.setdefault(key, []).append(position)
