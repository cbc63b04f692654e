"""Owns what is known of the tables before any question: their words, values and roles, built once a generation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from weakref import WeakValueDictionary

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.lru import Bounded
from polyrag_cli.nl2sql.accents import accented
from polyrag_cli.nl2sql.cells import CellWords, ValueRef
from polyrag_cli.nl2sql.lexicon import Lexicon, every_language, lexicon, lexicon_of
from polyrag_cli.nl2sql.notions import ADDITIVE, NOT_ADDITIVE, PEOPLE, PLACES, UNLINKED
from polyrag_cli.nl2sql.polarity import without_prefix
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.nl2sql.spelling import Spellings
from polyrag_cli.text.language import detect, detect_table
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Column, TableSchema

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.algebra import Condition

Role = Literal["measure", "year", "month", "date", "boolean", "text", "code"]

# How the typing of tables marks a column whose value names a row of totals.
TOTAL_NOTE = "total row: "
# How it marks a column whose source writes every number with two decimals.
CENTS_NOTE = "two decimals"
_KINDS = 50
_THINGS = frozenset({"product", "customer", "supplier", "company", "store", "name", "title"})
# What a column of these holds is told by its label's other words.
_MODIFIER = 0.6
# In fewer rows, 0 and 1 may be numbers of anything.
_FLAGGED = 12
_HEADLESS = frozenset({"amount", "name", "quantity", "date", "year", "month", "code"})
# Numbers of these are no numbering, however they run; orders and dates are numbered.
_QUANTITIES = (ADDITIVE | NOT_ADDITIVE) - frozenset(
    ("order", "delivery", "payment", "failure", "code", "year", "month", "date", "start", "end", "birth")
)


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A column with the words of its label; `stems` and `notions` hold one set a word, `concepts` all of these.

    unique: every row has its own value. additive: its sum means something (None: unknown). names_rows: the table is
    named after it. phrase: its label as it is best compared by meaning. denies: its label says "not", of which `words`
    hold nothing ("não pago"). head: which of `words` says what it holds ("share" of "population share"); -1 where any
    may stand for it.
    """

    column: Column
    position: int
    words: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    notions: tuple[frozenset[str], ...]
    concepts: frozenset[str]
    role: Role
    unique: bool
    additive: bool | None
    names_rows: bool = False
    phrase: str = ""
    denies: bool = False
    head: int = -1

    def modified(self, matched: Collection[int]) -> float:
        """What the quality of a link to some of its words is worth: a population share is no population."""
        return 1.0 if self.head < 0 or self.head in matched else _MODIFIER

    @property
    def yes_no(self) -> bool:
        """Whether it says yes or no, as a boolean or in two words."""
        return self.role == "boolean" or (not self.denies and self.column.distinct == 2 and len(self.denials) == 1)

    @property
    def denials(self) -> tuple[str, ...]:
        """The values of a column of text that say no."""
        denials = every_language().denials
        return tuple(v for v in self.column.values if len(parts := word_parts(v)) == 1 and parts[0] in denials)

    @property
    def amount(self) -> bool:
        """Whether its quantities may be added up: of prices, ages and rates, one that repeats says nothing new."""
        return self.role == "measure" and bool(self.additive)

    @property
    def numeric(self) -> bool:
        """Whether it holds quantities."""
        return self.role == "measure"


class TableEntry:
    """One table's index: columns by stem, cells by their words, and the conditions that leave total rows out."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.lexicon = _lexicon(schema)
        names = [*word_parts(schema.label), *word_parts(schema.name), *word_parts(schema.heading)]
        # Folders say what files are about, and tell those of equal names apart.
        names += schema.path_words
        self.label_words = frozenset(w for w in names if not self.lexicon.is_function_word(w))
        self.label_stems = frozenset(s for w in self.label_words for s in all_stems(w))
        self.label_concepts = frozenset(c for w in self.label_words for c in self.lexicon.notions(w))
        head = _head_stems(schema, self.lexicon)
        self.columns = tuple(
            _column_entry(column, position, schema.rows, head, self.lexicon)
            for position, column in enumerate(schema.columns)
        )
        self.excluded = tuple(_exclusions(schema))
        self.by_stem: dict[str, list[int]] = {}
        self.by_concept: dict[str, list[int]] = {}
        for entry in self.columns:
            for stem in sorted({s for group in entry.stems for s in group}):
                self.by_stem.setdefault(stem, []).append(entry.position)
            for concept in sorted(entry.concepts - UNLINKED):
                self.by_concept.setdefault(concept, []).append(entry.position)

    @cached_property
    def cells(self) -> CellWords:
        """The cells that name things, by their words."""
        leave = {str(value) for condition in self.excluded for value in condition.values}
        return CellWords(
            (
                (entry.position, value)
                for entry in self.columns
                if entry.role in ("text", "code", "month")
                for value in entry.column.values
                if value not in leave
            ),
            self.lexicon,
        )

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The labels of its columns as they are best compared by meaning, each once."""
        return tuple(dict.fromkeys(c.phrase for c in self.columns if c.phrase))

    @cached_property
    def phrase_position(self) -> dict[str, int]:
        """Where a label stands among `phrases`."""
        return {phrase: i for i, phrase in enumerate(self.phrases)}

    @cached_property
    def money(self) -> tuple[ColumnEntry, ...]:
        """The quantities that hold revenue, else those that hold amounts, as far as their sum means something."""
        amounts = [c for c in self.columns if c.numeric and c.additive is not False]
        revenue = tuple(c for c in amounts if "revenue" in c.concepts)
        return revenue or tuple(c for c in amounts if "amount" in c.concepts)

    @cached_property
    def key(self) -> ColumnEntry | None:
        """The leftmost column whose values name the rows; None without one."""
        return next((c for c in self.columns if c.unique and c.role in ("text", "code")), None)

    @cached_property
    def identifying(self) -> tuple[ColumnEntry, ...]:
        """The columns that say which row is meant, at most 3: the key, else dates, people and things; no quantity."""
        if self.key is not None:
            return (self.key,)
        named = [c for c in self.columns if c.role == "text" and c.concepts & (PEOPLE | _THINGS)]
        dated = [c for c in self.columns if c.role == "date"][:1]
        found = [*named[: 3 - len(dated)], *dated] if named else [c for c in self.columns if not c.numeric][:3]
        return tuple(found)

    @cached_property
    def language(self) -> str:
        """The language of its labels and kinds of rows, as far as it can be told."""
        labels = " ".join(c.phrase for c in self.columns)
        return detect(f"{' '.join(self.nouns)} {labels} {' '.join(self.kind_texts[:40])}")

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """The words that name the table, as they are best compared by meaning."""
        return tuple(sorted(accented(w, self.lexicon.code) for w in self.label_words if w.isalpha() and len(w) > 2))

    @cached_property
    def kinds(self) -> tuple[ValueRef, ...]:
        """The values of columns that sort the rows into at most 50 kinds, for comparison by meaning."""
        sorting = [
            c
            for c in self.columns
            if c.role == "text" and not c.unique and c.column.distinct <= min(_KINDS, len(c.column.values))
        ]
        refs = [
            ValueRef(c.position, v)
            for c in sorting
            for v in c.column.values
            if len(v.split()) <= 3 and self.lexicon.negation.words.isdisjoint(word_parts(v))
        ]
        return tuple(sorted(refs, key=lambda ref: (ref.position, ref.value)))

    @cached_property
    def kind_texts(self) -> tuple[str, ...]:
        """The texts of `kinds`, in their order."""
        return tuple(ref.value.lower() for ref in self.kinds)

    @cached_property
    def meanings(self) -> tuple[str, ...]:
        """All that words are compared with by meaning, each once."""
        return tuple(dict.fromkeys((*self.phrases, *self.kind_texts, *self.nouns)))

    @cached_property
    def bare_meanings(self) -> dict[str, tuple[str, ...]]:
        """What is left of those of `meanings` with a word that may begin with a prefix, without it."""
        found = {text: tuple(without_prefix(text)) for text in self.meanings}
        return {text: bare for text, bare in found.items() if bare}

    def named_alike(self, stems: Sequence[str]) -> list[ValueRef]:
        """Return the values of one column that a noun is common to ("refletor" to two kinds of them).

        Empty where they stand in several columns, or name people or places.
        """
        found = self.cells.headed(stems, last=self.lexicon.grammar.noun_last)
        positions = {ref.position for ref in found}
        if len(positions) != 1 or self.columns[min(positions)].concepts & (PEOPLE | PLACES):
            return []
        return sorted(found, key=lambda ref: ref.value)


ExplainedWord = tuple[str, str, bool]
"""A question's language and a word of it, folded, and whether it names a month."""
# Tables that kept words are explained by, over all words.
_MAX_EXPLAINED = 200_000

# While an entry lives, so does its schema, whose id then is its own.
_ENTRIES: WeakValueDictionary[int, TableEntry] = WeakValueDictionary()


def table_entry(schema: TableSchema) -> TableEntry:
    """Return the entry of this very schema, which all that ask for it share."""
    entry = _ENTRIES.get(id(schema))
    if entry is None or entry.schema is not schema:
        entry = _ENTRIES[id(schema)] = TableEntry(schema)
    return entry


class SchemaIndex:
    """All tables of one generation, by name; `labels` are the column labels of all of them, for similarity.

    explained: what explains a word, as (kind, name) by the table's position, for words asked before.
    """

    def __init__(self, schemas: Sequence[TableSchema]) -> None:
        self.explained: Bounded[ExplainedWord, Mapping[int, tuple[str, str]]] = Bounded(_MAX_EXPLAINED)
        self.tables = tuple(table_entry(s) for s in sorted(schemas, key=lambda s: s.name) if s.columns)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted({phrase for table in self.tables for phrase in table.phrases}))

    @cached_property
    def postings(self) -> Postings:
        """The lists by which a question's words find the tables that they share something with."""
        return Postings(self.tables)

    @cached_property
    def values_by_word(self) -> dict[str, tuple[str, ...]]:
        """The values that name things, sorted, by each of their words and as a whole."""
        found: dict[str, set[str]] = {}
        for table in self.tables:
            for ref, parts in table.cells.words.items():
                for part in (*parts, ref.value):
                    found.setdefault(part, set()).add(ref.value)
        return {word: tuple(sorted(values)) for word, values in found.items()}

    @cached_property
    def spellings(self) -> Spellings:
        """The words and wholes of `values_by_word`, to be found by a near spelling."""
        return Spellings(self.values_by_word)


def _lexicon(schema: TableSchema) -> Lexicon:
    """Return the words of the language of a table's names and cells, or of those that know the most of its names."""
    labels = (schema.label, schema.heading, *(column.label for column in schema.columns))
    texts = (value for column in schema.columns if column.type == "text" for value in column.values)
    found = lexicon(detect_table(labels, texts))
    if found.code == UNDETERMINED:
        found = lexicon_of([part for label in labels for part in word_parts(label)])
    return found


def _exclusions(schema: TableSchema) -> list[Condition]:
    """Return what leaves out exactly the rows that state totals of others."""
    flag = next((column for column in schema.columns if column.total), None)
    totals = [
        (column.name, n.removeprefix(TOTAL_NOTE))
        for column in schema.columns
        for n in column.notes
        if n.startswith(TOTAL_NOTE)
    ]
    if flag is None and not totals:
        return []
    # Only who has such rows pays for the algebra that statements are made with.
    from polyrag_cli.nl2sql.algebra import Condition

    if flag is not None:
        return [Condition(flag.name, "=", (False,))]
    return [Condition(name, "!=", (total,)) for name, total in totals]


def _column_entry(
    column: Column, position: int, rows: int, table_stems: frozenset[str], lexicon: Lexicon
) -> ColumnEntry:
    # What says which rows are totals is no column of the source: nothing names it.
    kept = () if column.total else _label_words(column, lexicon)
    unique = rows > 1 and column.distinct == rows
    named = tuple(frozenset(all_stems(p)) for p in kept)
    role = _role(column, lexicon, unique, _is_table_noun(kept, named, table_stems, lexicon))
    if _is_flag(column, rows, lexicon):
        role = "boolean"
    denials = lexicon.negation.label_words
    denies = not denials.isdisjoint(word_parts(column.label) or word_parts(column.name))
    if role == "boolean":
        kept = tuple(p for p in kept if p not in denials) or kept
    described = [lexicon.described(p) for p in kept]
    notions = tuple(lexicon.notions(p) | lexicon.notions(of) for p, of in zip(kept, described, strict=True))
    concepts = frozenset().union(*notions)
    if role == "measure":
        # A number of people isn't one of employees.
        concepts -= {"employee"}
    stems = tuple(
        frozenset((*all_stems(p), *(all_stems(of) if of else ()))) for p, of in zip(kept, described, strict=True)
    )
    return ColumnEntry(
        column=column,
        position=position,
        words=kept,
        stems=stems,
        notions=notions,
        concepts=concepts | ({"date"} if role == "date" else {role} if role in ("year", "month") else set()),
        role=role,
        unique=unique,
        additive=_additive(column, kept, lexicon) if role == "measure" else None,
        names_rows=role in ("text", "code") and _is_table_noun(kept, stems, table_stems, lexicon),
        phrase=" ".join(accented(p, lexicon.code) for p in kept),
        denies=denies,
        head=_head(column, kept, lexicon),
    )


def _head(column: Column, kept: tuple[str, ...], lexicon: Lexicon) -> int:
    """Return which of a label's words says what the column holds: the last before a preposition in English, the first
    elsewhere; -1 where that word is as good as none ("value", "number", "name").
    """
    parts = word_parts(column.label) or word_parts(column.name)
    first = next((i for i, part in enumerate(parts) if part in kept), 0)
    last = first
    while last + 1 < len(parts) and not lexicon.is_function_word(parts[last + 1]):
        last += 1
    phrase = [part for part in parts[first : last + 1] if part in kept and not part.isdigit()]
    if len(kept) < 2 or not phrase:
        return -1
    head = phrase[-1] if lexicon.grammar.noun_last else phrase[0]
    says_nothing = lexicon.is_empty(head) or lexicon.identifies(head) or head in lexicon.date_parts
    return -1 if says_nothing or lexicon.notions(head) & _HEADLESS else kept.index(head)


def _head_stems(schema: TableSchema, lexicon: Lexicon) -> frozenset[str]:
    """Return the stems of the nouns that say what the rows are: of library loans, loans; all words of a heading."""
    found = {stem for word in word_parts(schema.heading) for stem in all_stems(word)}
    for name in (schema.label, schema.name):
        words = [w for w in word_parts(name) if w.isalpha() and not lexicon.is_function_word(w)]
        if words:
            found.update(all_stems(words[-1] if lexicon.grammar.noun_last else words[0]))
    return frozenset(found)


def _is_table_noun(
    words: tuple[str, ...], stems: tuple[frozenset[str], ...], table_stems: frozenset[str], lexicon: Lexicon
) -> bool:
    nouns = [group for word, group in zip(words, stems, strict=True) if not lexicon.identifies(word)]
    return bool(nouns) and all(group & table_stems for group in nouns)


def _label_words(column: Column, lexicon: Lexicon) -> tuple[str, ...]:
    parts = word_parts(column.label) or word_parts(column.name)
    return tuple(p for p in parts if not lexicon.is_function_word(p) and p != column.unit.lower()) or parts


def _role(column: Column, lexicon: Lexicon, unique: bool, of_rows: bool) -> Role:
    """Return what a column is for: quantities are measured, everything else names, dates or numbers things.

    lexicon: the words of the table's language. unique: whether every row has its own value. of_rows: whether it is
    called what the rows are, whose numbering then is no quantity ("visit" 1001, 1002 …).
    """
    words = _label_words(column, lexicon)
    if column.type == "date":
        return "date"
    if column.type == "boolean":
        return "boolean"
    if column.type == "text":
        named = [parts for v in column.values if (parts := word_parts(v)) not in lexicon.totals]
        return "month" if named and all(len(p) == 1 and p[0] in lexicon.months for p in named) else "text"
    if column.type == "integer":
        numbers = [int(v) if v.isdigit() else int(float(v)) for v in column.values]
        concepts = {c for w in words for c in lexicon.notions(w)}
        if (
            numbers
            and all(1500 <= n <= 2100 for n in numbers)
            and ("year" in concepts or (len(words) == 1 and not concepts & ADDITIVE))
        ):
            return "year"
        if "month" in concepts and numbers and all(1 <= n <= 12 for n in numbers):
            return "month"
        numbered = any(lexicon.identifies(word) for word in words)
        if (numbered and not set(words) & lexicon.tables.rows) or (
            unique and _counts_up(numbers, set() if of_rows else concepts)
        ):
            return "code"
    return "measure"


def _is_flag(column: Column, rows: int, lexicon: Lexicon) -> bool:
    """Tell figures that say yes and no: nothing but 1 and 0 in many rows, of what isn't counted."""
    concepts = {c for w in _label_words(column, lexicon) for c in lexicon.notions(w)}
    return (
        column.type == "integer"
        and set(column.values) == {"0", "1"}
        and rows >= _FLAGGED
        and not concepts & _QUANTITIES
    )


def _counts_up(numbers: list[int], concepts: set[str]) -> bool:
    """Tell numbers that name rows from amounts: each larger than the one before, and hardly any left out."""
    if len(numbers) < 3 or concepts & _QUANTITIES:
        return False
    rising = all(a < b for a, b in pairwise(numbers))
    return rising and numbers[-1] - numbers[0] < 1.5 * len(numbers)


def _additive(column: Column, words: tuple[str, ...], lexicon: Lexicon) -> bool | None:
    if column.unit == "%" or set(words) & lexicon.tables.rates:
        return False
    notions = [lexicon.notions(word) for word in words]
    if any(n & NOT_ADDITIVE and not n & ADDITIVE for n in notions):
        return False
    if any(n & NOT_ADDITIVE for n in notions):
        return None
    return True if any(n & ADDITIVE for n in notions) else None
