"""Owns what notes beside a table define its columns as: words by which a question may mean a column whose label says
little ("all": percentage of the police force that lives in the city).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.describing import describes
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import AskedWord, Question, word_parts
from polyrag_cli.nl2sql.sql_text import quoted
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Rows

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.deciding import Run

# So many documents beside a table are looked at, and so many definitions of each are read.
_BESIDE = 6
_READ = 200
# Fewer definitions have nothing in common; of more, what half of them say is what all of them are about.
_LEAST = 4
_COMMON = 0.5
# So many words of a question must be a definition's, and so many more than any other's.
_SAID = 3
_LEAD = 1
_QUALITY = 0.9
_WHOLE = 1.0


@dataclass(frozen=True, slots=True)
class Definitions:
    """Stems of what columns are defined as, by position, and of what most definitions of the table say."""

    by_column: dict[int, frozenset[str]]
    common: frozenset[str]


def with_definitions(tables: Sequence[TableEntry], index: SchemaIndex, run: Run) -> list[TableEntry]:
    """Return tables with what notes beside them define their columns as; those without any as they are."""
    found: list[TableEntry] = []
    for table in tables:
        definitions = _definitions(table, index, run)
        if definitions is not None:
            table = copy(table)
            table.definitions = definitions
        found.append(table)
    return found


def _definitions(table: TableEntry, index: SchemaIndex, run: Run) -> Definitions | None:
    positions = {word_parts(entry.column.label.replace("_", " ")): entry.position for entry in table.columns}
    known: dict[int, frozenset[str]] = {}
    for notes in _describing(table, index):
        for name, definition in _rows(notes, run):
            position = positions.get(word_parts(name.replace("_", " ")))
            if position is not None:
                known.setdefault(position, _stems(definition))
    if len(known) < _LEAST:
        return None
    counts = Counter(stem for stems in known.values() for stem in stems)
    common = frozenset(stem for stem, count in counts.items() if count >= _COMMON * len(known))
    return Definitions(known, common)


def beside(document: str, index: SchemaIndex) -> list[int]:
    """Return the tables of other documents in a document's own folder, at most 6; none for one without a folder."""
    folder = document.rpartition("/")[0]
    found = [
        position
        for position, other in enumerate(index.documents)
        if folder and other != document and other.rpartition("/")[0] == folder
    ]
    return found[:_BESIDE]


def _describing(table: TableEntry, index: SchemaIndex) -> Iterator[TableEntry]:
    found = (index.tables[position] for position in beside(table.schema.document, index))
    yield from (entry for entry in found if describes(entry, index))


def _rows(table: TableEntry, run: Run) -> Iterator[tuple[str, str]]:
    """Yield each name with what it is defined as: the first two columns."""
    first, second = (quoted(entry.column.name) for entry in table.columns[:2])
    found: Rows = run(f"SELECT {first}, {second} FROM {quoted(table.schema.name)} LIMIT {_READ}", table.schema.name)
    yield from ((str(name), str(definition)) for name, definition in found.rows if name and definition)


def _stems(text: str) -> frozenset[str]:
    words = every_language()
    spoken = [word for word in word_parts(text) if not words.is_function_word(word)]
    shares = words.tables.percents | words.tables.parts
    alike = shares if not shares.isdisjoint(spoken) else frozenset()
    return frozenset(stem for word in (*spoken, *alike) for stem in all_stems(word))


def subject_words(question: Question, table: TableEntry, columns: Sequence[ColumnItem]) -> tuple[int, ...]:
    """Return the words of a question for what all columns of a table are about, which no column is called."""
    if table.definitions is None:
        return ()
    named = {i for item in columns if item.quality >= _QUALITY for i in item.tokens}
    common = table.definitions.common
    return tuple(i for i in question.content() if i not in named and common.intersection(question.tokens[i].stems))


def defined_items(question: Question, table: TableEntry, items: Sequence[ColumnItem]) -> list[ColumnItem]:
    """Return the one column that the words of a question are the definition of; none where two come as near, or where
    its label says something that the question doesn't.

    items: what words are linked to by themselves.
    """
    definitions = table.definitions
    if definitions is None:
        return []
    taken = {i for item in items if item.quality >= _WHOLE for i in item.tokens}
    open_to = [i for i, t in enumerate(question.tokens) if i not in taken and _tells(question, t)]
    own: dict[int, set[int]] = {}
    for item in items:
        own.setdefault(item.position, set()).update(item.tokens if item.quality >= _WHOLE else ())
    said = {
        position: [*_said(question, open_to, stems), *sorted(own.get(position, ()))]
        for position, stems in definitions.by_column.items()
    }
    fitting = {
        position: words for position, words in said.items() if _label_said(question, table, position, definitions)
    }
    ranked = sorted(fitting, key=lambda position: (-len(fitting[position]), position))
    if not ranked or len(fitting[ranked[0]]) < _SAID or profile(table).columns[ranked[0]].role != "measure":
        return []
    second = len(fitting[ranked[1]]) if len(ranked) > 1 else 0
    if len(fitting[ranked[0]]) < second + _LEAD:
        return []
    about = [i for i in open_to if definitions.common.intersection(question.tokens[i].stems)]
    return [ColumnItem(tuple(sorted({*fitting[ranked[0]], *about})), ranked[0], _QUALITY)]


def _tells(question: Question, token: AskedWord) -> bool:
    return not question.lexicon.is_function_word(token.folded) and len(token.folded) > 1


def _said(question: Question, open_to: Sequence[int], stems: frozenset[str]) -> list[int]:
    return [i for i in open_to if stems.intersection(question.tokens[i].stems)]


def _label_said(question: Question, table: TableEntry, position: int, definitions: Definitions) -> bool:
    """Whether a question says what a label says of itself, as far as its definition repeats it ("white", of the
    percentage of white officers).
    """
    asked = {stem for token in question.tokens for stem in token.stems}
    own = [group for group in table.columns[position].stems if group & definitions.by_column[position]]
    return all(group & asked for group in own)
