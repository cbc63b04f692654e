"""Owns the form in which what is known of a table is kept between processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from polyrag_cli.languages.compiled import sources_digest
from polyrag_cli.nl2sql.columns import ColumnEntry
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.types import TableSchema

_PACKAGE = Path(__file__).parent.parent
# The code that what is kept depends on, beside the language files.
_CODE = (
    *(f"nl2sql/{name}.py" for name in ("accents", "cells", "columns", "index", "kept_entry", "label_words", "lexicon",
      "notions", "numbering", "polarity", "question", "table_words", "value_index")),
    *(f"text/{name}.py" for name in ("language", "stem", "utterance", "words")),
)  # fmt: skip


@cache
def version() -> str:
    """Return the digest of the code and the language files that what is kept is made by."""
    found = hashlib.sha256(sources_digest().encode())
    for name in _CODE:
        found.update((_PACKAGE / name).read_bytes())
    return found.hexdigest()[:16]


def packed(entry: TableEntry) -> str:
    """Return what is known of a table as JSON."""
    texts = dict.fromkeys(value for _, value in entry.naming_values)
    places = {ref: place for place, ref in enumerate(entry.cells.words)}
    heads = entry.cells.heads(last=entry.lexicon.grammar.noun_last)
    content = {
        "language": entry.lexicon.code,
        "columns": [_column(column) for column in entry.columns],
        "heads": {stem: [places[ref] for ref in refs] for stem, refs in heads.items()},
        "words": [" ".join(parts) for parts in map(word_parts, texts)],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _column(column: ColumnEntry) -> list[Any]:
    stems, notions = ([sorted(each) for each in groups] for groups in (column.stems, column.notions))
    return [
        column.words, stems, notions, sorted(column.concepts), column.role, column.unique, column.additive,
        column.names_rows, column.phrase, column.denies, column.head,
    ]  # fmt: skip


class KeptEntry:
    """What was known of a table, as `packed` gave it."""

    def __init__(self, content: str) -> None:
        """Raises ValueError, KeyError or TypeError for what isn't of this form."""
        found = json.loads(content)
        self.language: str = found["language"]
        self._columns: list[list[Any]] = found["columns"]
        self._words: list[str] = found["words"]
        # The nouns of cells by stem, as places among the values of `CellWords.words`.
        self.heads: dict[str, list[int]] = found["heads"]

    def columns(self, schema: TableSchema) -> tuple[ColumnEntry, ...]:
        """Return the columns of the schema that it was made of. Raises ValueError where there are more or fewer."""
        pairs = enumerate(zip(schema.columns, self._columns, strict=True))
        return tuple(
            ColumnEntry(column, position, tuple(words), _groups(stems), _groups(notions), frozenset(concepts), *others)
            for position, (column, (words, stems, notions, concepts, *others)) in pairs
        )

    def parts_of(self, values: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
        """Return what gives the words of these values, the table's, as `word_parts` does. Raises ValueError where there
        are more or fewer than were kept.
        """
        kept = dict(zip(dict.fromkeys(values), self._words, strict=True))

        def parts(value: str) -> tuple[str, ...]:
            words = kept.get(value)
            return word_parts(value) if words is None else tuple(words.split(" ")) if words else ()

        return parts


def _groups(groups: Sequence[Sequence[str]]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, groups))
