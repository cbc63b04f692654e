"""Which words of two questions are a value or a name somewhere in the corpus, whatever they mean elsewhere.

A state called ME, a band called Yes, a city in lower case: such a word is never empty and has no synonym.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.words import empty_words, words
from polyrag_cli.types import TableSchema

# Longer values are prose, of which no word names anything by itself.
_VALUE_WORDS = 3
_VALUE_CHARACTERS = 48


@dataclass(frozen=True, slots=True)
class _Values:
    """Words that are a whole value of some column, and words of longer values that aren't empty."""

    whole: frozenset[str]
    inside: frozenset[str]


class CorpusWords:
    """The corpus's words as far as questions are told apart by them; thread-safe.

    stores: gives the stores of the corpus.
    """

    def __init__(self, stores: Callable[[], Stores]) -> None:
        self._stores = stores
        self._lock = Lock()
        self._kept: tuple[tuple[TableSchema, ...], _Values] | None = None

    def telling(self, question: str, other: str, snapshot: Snapshot) -> frozenset[str]:
        """The folded words that stand in one of two questions alone and are a value or a name in the corpus."""
        mine, theirs = ({word.folded for word in words(text)} for text in (question, other))
        different = mine ^ theirs
        if not different:
            return frozenset()
        values = self._values(snapshot)
        found = different & (values.whole | values.inside)
        return frozenset(found | {word for word in different - found if self._named(word, snapshot)})

    def _values(self, snapshot: Snapshot) -> _Values:
        schemas = self._stores().relational.schemas(snapshot)
        with self._lock:
            if self._kept is None or self._kept[0] != schemas:
                self._kept = (schemas, _values(schemas))
            return self._kept[1]

    def _named(self, word: str, snapshot: Snapshot) -> bool:
        return bool(self._stores().graph.neighbours(snapshot, word))


def _values(schemas: tuple[TableSchema, ...]) -> _Values:
    whole: set[str] = set()
    inside: set[str] = set()
    empty = empty_words()
    for value in {v for s in schemas for c in s.columns if c.type == "text" for v in c.values}:
        if len(value) > _VALUE_CHARACTERS:
            continue
        parts = _folded(value)
        if len(parts) == 1:
            whole.add(parts[0])
        elif len(parts) <= _VALUE_WORDS:
            inside.update(part for part in parts if part not in empty)
    return _Values(frozenset(whole), frozenset(inside))


@lru_cache(maxsize=1024)
def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold_word(word.text) for word in words(text))
