"""Owns what is known of the tables before any question: their words, values and roles, built once a generation.

Must never import a store's backend, a provider, configuration or the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from polyrag_cli.nl2sql.lexicon import ADDITIVE, ID_WORDS, NEGATIONS, NOT_ADDITIVE, RATE_WORDS, ROW_NOUNS, SAME_NAMES
from polyrag_cli.nl2sql.plans import Condition
from polyrag_cli.nl2sql.question import is_empty_word, known_concepts, word_parts
from polyrag_cli.text.dates import MONTHS
from polyrag_cli.text.stem import both_stems
from polyrag_cli.types import Column, TableSchema

Role = Literal["measure", "year", "month", "date", "boolean", "text", "code"]

# How the typing of tables marks a column whose value names a row of totals.
TOTAL_NOTE = "total row: "
# A cell longer than this is prose: its words are no names.
_NAME_WORDS = 8
_PROSE_WORDS = 12


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A column with the words of its label; `stems` holds one set a word.

    unique: every row has its own value. additive: its sum means something (None: unknown).
    """

    column: Column
    position: int
    words: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    concepts: frozenset[str]
    role: Role
    unique: bool
    additive: bool | None

    @property
    def numeric(self) -> bool:
        """Whether it holds quantities."""
        return self.role == "measure"


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A cell value: the column's position and the value as stored."""

    position: int
    value: str


class TableEntry:
    """One table's index: columns by stem, values by their words, and the conditions that leave total rows out."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.columns = tuple(_column_entry(c, i, schema.rows) for i, c in enumerate(schema.columns))
        self.excluded = tuple(_exclusions(schema))
        names = [*word_parts(schema.label), *word_parts(schema.name), *word_parts(schema.heading)]
        self.label_words = frozenset(w for w in names if not is_empty_word(w))
        self.label_stems = frozenset(s for w in self.label_words for s in both_stems(w))
        self.label_concepts = frozenset(c for w in self.label_words for c in known_concepts(w))
        self.by_stem: dict[str, list[int]] = {}
        self.by_concept: dict[str, list[int]] = {}
        for entry in self.columns:
            for stem in sorted({s for group in entry.stems for s in group}):
                self.by_stem.setdefault(stem, []).append(entry.position)
            for concept in sorted(entry.concepts):
                self.by_concept.setdefault(concept, []).append(entry.position)
        self.values: dict[tuple[str, ...], list[ValueRef]] = {}
        self.by_value_stems: dict[tuple[str, ...], list[ValueRef]] = {}
        self.parts: dict[str, list[ValueRef]] = {}
        self.value_words: dict[ValueRef, tuple[str, ...]] = {}
        # The longest value that starts with a word: where no value starts, none is looked for.
        self.value_starts: dict[str, int] = {}
        self._index_values()

    @property
    def key(self) -> ColumnEntry | None:
        """The leftmost column whose values name the rows; None without one."""
        return next((c for c in self.columns if c.unique and c.role in ("text", "code")), None)

    def _index_values(self) -> None:
        leave = {str(value) for condition in self.excluded for value in condition.values}
        for entry in self.columns:
            if entry.role not in ("text", "code", "month"):
                continue
            for value in entry.column.values:
                parts = word_parts(value)
                if not parts or value in leave or len(parts) > _PROSE_WORDS:
                    continue
                self._add_value(ValueRef(entry.position, value), parts)

    def _add_value(self, ref: ValueRef, parts: tuple[str, ...]) -> None:
        self.values.setdefault(parts, []).append(ref)
        self._note_start(parts)
        self.value_words[ref] = parts
        content = tuple(p for p in parts if not is_empty_word(p))
        for names in SAME_NAMES:
            if " ".join(parts) in names:
                for name in sorted(names):
                    self._alias(tuple(name.split()), ref)
        # A cell that denies something isn't met by what it denies.
        if set(parts) & NEGATIONS:
            return
        if len(content) > 1 and content != parts:
            self._alias(content, ref)
        for language in (0, 1) if len(content) in (2, 3, 4, 5, 6, len(parts)) else ():
            key = tuple(both_stems(p)[min(language, len(both_stems(p)) - 1)] for p in content)
            refs = self.by_value_stems.setdefault(key, [])
            if ref not in refs:
                refs.append(ref)
        if len(parts) <= _NAME_WORDS:
            for part in dict.fromkeys(content):
                self.parts.setdefault(part, []).append(ref)

    def _note_start(self, key: tuple[str, ...]) -> None:
        self.value_starts[key[0]] = max(len(key), self.value_starts.get(key[0], 0))

    def _alias(self, key: tuple[str, ...], ref: ValueRef) -> None:
        self._note_start(key)
        refs = self.values.setdefault(key, [])
        if ref not in refs:
            refs.append(ref)


class SchemaIndex:
    """All tables of one generation, by name; `labels` are the column labels of all of them, for similarity."""

    def __init__(self, schemas: Sequence[TableSchema]) -> None:
        self.tables = tuple(TableEntry(s) for s in sorted(schemas, key=lambda s: s.name) if s.columns)
        self.labels = tuple(sorted({" ".join(c.words) for t in self.tables for c in t.columns if c.words}))
        self.label_position = {label: i for i, label in enumerate(self.labels)}


def _exclusions(schema: TableSchema) -> list[Condition]:
    found: list[Condition] = []
    for column in schema.columns:
        values = [note[len(TOTAL_NOTE) :] for note in column.notes if note.startswith(TOTAL_NOTE)]
        found += [
            Condition(column.name, "!=", (value,)) if value else Condition(column.name, "not null", ())
            for value in values
        ]
    return found


def _column_entry(column: Column, position: int, rows: int) -> ColumnEntry:
    kept = _label_words(column)
    concepts = frozenset(c for p in kept for c in known_concepts(p))
    role = column_role(column)
    return ColumnEntry(
        column=column,
        position=position,
        words=kept,
        stems=tuple(frozenset(both_stems(p)) for p in kept),
        concepts=concepts | ({"date"} if role == "date" else {role} if role in ("year", "month") else set()),
        role=role,
        unique=rows > 1 and column.distinct == rows,
        additive=_additive(column, kept, concepts) if role == "measure" else None,
    )


def _label_words(column: Column) -> tuple[str, ...]:
    parts = word_parts(column.label) or word_parts(column.name)
    return tuple(p for p in parts if not is_empty_word(p) and p != column.unit.lower()) or parts


def column_role(column: Column) -> Role:
    """Return what a column is for: quantities are measured, everything else names, dates or numbers things."""
    words = _label_words(column)
    if column.type == "date":
        return "date"
    if column.type == "boolean":
        return "boolean"
    if column.type == "text":
        named = [v for v in column.values if v.lower().strip(".") not in ("total",)]
        months = [v for v in named if len(p := word_parts(v)) == 1 and p[0] in MONTHS]
        return "month" if named and len(months) == len(named) else "text"
    if column.type == "integer":
        numbers = [int(float(v)) for v in column.values]
        concepts = {c for w in words for c in known_concepts(w)}
        if (
            numbers
            and all(1500 <= n <= 2100 for n in numbers)
            and ("year" in concepts or (len(words) == 1 and not concepts & ADDITIVE))
        ):
            return "year"
        if "month" in concepts and numbers and all(1 <= n <= 12 for n in numbers):
            return "month"
        if (set(words) & ID_WORDS and not set(words) & ROW_NOUNS) or _counts_up(numbers, concepts):
            return "code"
    return "measure"


def _counts_up(numbers: list[int], concepts: set[str]) -> bool:
    """Tell numbers that name rows from amounts: each larger than the one before, and hardly any left out."""
    if len(numbers) < 3 or concepts & (ADDITIVE - {"order", "delivery", "payment", "failure"}):
        return False
    rising = all(a < b for a, b in pairwise(numbers))
    return rising and numbers[-1] - numbers[0] < 1.5 * len(numbers)


def _additive(column: Column, words: tuple[str, ...], concepts: frozenset[str]) -> bool | None:
    if column.unit == "%" or set(words) & RATE_WORDS or set(words) & {"unitario", "unitaria"}:
        return False
    if concepts & NOT_ADDITIVE:
        return False
    return True if concepts & ADDITIVE else None
