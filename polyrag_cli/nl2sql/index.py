"""Owns what is known of a table before any question: its words, values and roles; and the index of all tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload
from weakref import WeakValueDictionary

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.lru import Bounded
from polyrag_cli.nl2sql.accents import accented
from polyrag_cli.nl2sql.cells import CellWords, ValueRef
from polyrag_cli.nl2sql.columns import ColumnEntry, Role, column_entry
from polyrag_cli.nl2sql.lexicon import Lexicon, every_language, lexicon, lexicon_of
from polyrag_cli.nl2sql.notions import PEOPLE, PLACES, UNLINKED
from polyrag_cli.nl2sql.numbering import surroundings
from polyrag_cli.nl2sql.polarity import without_prefix
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.nl2sql.table_words import MemoryWords
from polyrag_cli.text.language import detect, detect_table
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import TableSchema

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.algebra import Condition
    from polyrag_cli.nl2sql.definitions import Definitions
    from polyrag_cli.nl2sql.kept_entry import KeptEntry

__all__ = ["CENTS_NOTE", "TOTAL_NOTE", "ColumnEntry", "Role", "SchemaIndex", "TableEntry", "table_entry"]

# How the typing of tables marks a column whose value names a row of totals.
TOTAL_NOTE = "total row: "
# How it marks a column whose source writes every number with two decimals.
CENTS_NOTE = "two decimals"
_KINDS = 50
_THINGS = frozenset({"product", "customer", "supplier", "company", "store", "name", "title"})


class TableEntry:
    """One table's index: columns by stem, cells by their words, and the conditions that leave total rows out.

    definitions: what notes beside it define its columns as, where that was looked up.
    """

    definitions: Definitions | None = None

    def __init__(self, schema: TableSchema, kept: KeptEntry | None = None) -> None:
        """kept: what was worked out of this very schema before, so that it needn't be again."""
        self.schema = schema
        self._kept = kept
        self.lexicon = _lexicon(schema) if kept is None else _lexicon_named(schema, kept.language)
        names = [*word_parts(schema.label), *word_parts(schema.name), *word_parts(schema.heading)]
        # Folders say what files are about, and tell those of equal names apart.
        names += schema.path_words
        self.label_words = frozenset(w for w in names if not self.lexicon.is_function_word(w))
        self.label_stems = frozenset(s for w in self.label_words for s in all_stems(w))
        self.label_concepts = frozenset(c for w in self.label_words for c in self.lexicon.notions(w))
        self.columns = _columns(schema, self.lexicon) if kept is None else kept.columns(schema)
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
        return CellWords(self.naming_values, self.lexicon, self.parts_of)

    @property
    def naming_values(self) -> Iterator[tuple[int, str]]:
        """The (column position, value) pairs of the columns that name things, without what totals are called."""
        leave = {str(value) for condition in self.excluded for value in condition.values}
        for entry in self.columns:
            if entry.role in ("text", "code", "month"):
                yield from ((entry.position, value) for value in entry.column.values if value not in leave)

    @cached_property
    def parts_of(self) -> Callable[[str], tuple[str, ...]]:
        """What gives the words of one of `naming_values`, as `word_parts` does."""
        return word_parts if self._kept is None else self._kept.parts_of(value for _, value in self.naming_values)

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
    def spoken_names(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """Its names of several words, as the stems of each: of its file or sheet, and of the folder that it lies in."""
        return tuple(tuple(frozenset(all_stems(word)) for word in name) for name in self._spoken)

    @cached_property
    def _spoken(self) -> tuple[tuple[str, ...], ...]:
        folder = self.schema.document.rpartition("/")[0].rpartition("/")[2]
        names = (word_parts(name.replace("_", " ")) for name in (self.schema.label, folder))
        return tuple(dict.fromkeys(name for name in names if len(name) > 1 and all(word.isalpha() for word in name)))

    @cached_property
    def spoken_phrases(self) -> tuple[str, ...]:
        """The same names as they are best compared by meaning."""
        return tuple(" ".join(accented(word, self.lexicon.code) for word in name) for name in self._spoken)

    @property
    def of_trades(self) -> bool:
        """Whether its name says that each row is a sale or a purchase; a file's name counts where it holds money."""
        trades = every_language().tables.trades
        named = self.label_words & trades or (self.money and trades.intersection(word_parts(self.schema.document)))
        return bool(named)

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
        if self._kept is None:
            found = self.cells.headed(stems, last=self.lexicon.grammar.noun_last)
        else:
            refs = list(self.cells.words)
            found = [refs[place] for place in sorted({p for stem in stems for p in self._kept.heads.get(stem, ())})]
        positions = {ref.position for ref in found}
        if len(positions) != 1 or self.columns[min(positions)].concepts & (PEOPLE | PLACES):
            return []
        return sorted(found, key=lambda ref: ref.value)


Hit = tuple[str, str]
"""What explains a word: its kind and its name."""
ExplainedWord = tuple[str, str, bool]
"""A question's language and a word of it, folded, and whether it names a month."""
# Tables that kept words are explained by, over all words.
_MAX_EXPLAINED = 200_000

# While an entry lives, so does its schema, whose id then is its own.
_ENTRIES: WeakValueDictionary[int, TableEntry] = WeakValueDictionary()


def table_entry(schema: TableSchema, made: TableEntry | None = None) -> TableEntry:
    """Return the entry of this very schema, which all that ask for it share; made: the one to be, where there is none
    yet.
    """
    entry = _ENTRIES.get(id(schema))
    if entry is None or entry.schema is not schema:
        entry = _ENTRIES[id(schema)] = made or TableEntry(schema)
    return entry


class Tables(Sequence[TableEntry]):
    """The entries of some tables, each made when it is first asked for."""

    def __init__(self, entries: Sequence[Callable[[], TableEntry]]) -> None:
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, place: int) -> TableEntry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[TableEntry]: ...
    def __getitem__(self, place: int | slice) -> TableEntry | Sequence[TableEntry]:
        if isinstance(place, slice):
            return Tables(self._entries[place])
        return self._entries[place]()


class SchemaIndex:
    """All tables of one commit, by name: which there are, and the lists by which a question's words find them.

    names: of the tables, sorted, as `tables` are and the `documents` that they are in. explained: what explains a word,
    by the table's position, for words asked before.
    """

    names: tuple[str, ...]
    documents: tuple[str, ...]
    tables: Sequence[TableEntry]
    postings: Postings
    explained: Bounded[ExplainedWord, Mapping[int, Hit]]

    def __init__(self, schemas: Sequence[TableSchema]) -> None:
        made = tuple(table_entry(s) for s in sorted(schemas, key=lambda s: s.name) if s.columns)
        self.tables = made
        self.names = tuple(table.schema.name for table in made)
        self.documents = tuple(table.schema.document for table in made)
        self.postings = Postings(MemoryWords(dict(enumerate(made))))
        self.explained = Bounded(_MAX_EXPLAINED)

    def named(self, names: Collection[str]) -> list[TableEntry]:
        """Return the tables of some names, in their order here."""
        return [self.tables[position] for position, name in enumerate(self.names) if name in names]

    @property
    def labels(self) -> tuple[str, ...]:
        """The column labels of all tables, for similarity."""
        return self.postings.all_labels


def _lexicon(schema: TableSchema) -> Lexicon:
    """Return the words of the language of a table's names and cells, or of those that know the most of its names."""
    labels = (schema.label, schema.heading, *(column.label for column in schema.columns))
    texts = (value for column in schema.columns if column.type == "text" for value in column.values)
    found = lexicon(detect_table(labels, texts))
    if found.code == UNDETERMINED:
        found = lexicon_of(_label_parts(schema))
    return found


def _lexicon_named(schema: TableSchema, code: str) -> Lexicon:
    """Return what `_lexicon` does for a schema whose language is known."""
    return lexicon(code) if code != UNDETERMINED else lexicon_of(_label_parts(schema))


def _label_parts(schema: TableSchema) -> list[str]:
    labels = (schema.label, schema.heading, *(column.label for column in schema.columns))
    return [part for label in labels for part in word_parts(label)]


def _columns(schema: TableSchema, lexicon: Lexicon) -> tuple[ColumnEntry, ...]:
    around = surroundings(schema, lexicon)
    return tuple(
        column_entry(column, position, schema.rows, around, lexicon) for position, column in enumerate(schema.columns)
    )


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
