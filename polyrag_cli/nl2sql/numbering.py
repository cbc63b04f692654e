"""Owns which whole numbers only number rows: running codes, the rows' own numbers, numbers of what has a name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from polyrag_cli.nl2sql.label_words import label_parts
from polyrag_cli.nl2sql.lexicon import Lexicon
from polyrag_cli.nl2sql.notions import ADDITIVE, NOT_ADDITIVE
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import TableSchema

# Numbers of these are no numbering, however they run; orders and dates are numbered.
_QUANTITIES = (ADDITIVE | NOT_ADDITIVE) - frozenset(
    ("order", "delivery", "payment", "failure", "code", "year", "month", "date", "start", "end", "birth")
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a column stands among.

    nouns: the folded nouns that say what the rows are (of "library loans", loans). stems: theirs, and those of all
    words of a heading. labels: the words of all labels of the table.
    """

    nouns: frozenset[str]
    stems: frozenset[str]
    labels: tuple[tuple[str, ...], ...]


def surroundings(schema: TableSchema, lexicon: Lexicon) -> Surroundings:
    """Return what the columns of a table stand among."""
    nouns: set[str] = set()
    for name in (schema.label, schema.name):
        words = [w for w in word_parts(name) if w.isalpha() and not lexicon.is_function_word(w)]
        nouns.update(words[-1:] if lexicon.grammar.noun_last else words[:1])
    stems = {stem for word in (*word_parts(schema.heading), *nouns) for stem in all_stems(word)}
    labels = tuple(label_parts(column.label) or label_parts(column.name) for column in schema.columns)
    return Surroundings(frozenset(nouns), frozenset(stems), labels)


def numbers_things(words: Sequence[str], unique: bool, around: Surroundings, lexicon: Lexicon) -> bool:
    """Tell whole numbers that are called what each row is ("consulta", of a table of consultas), or of which another
    column has the names ("president", "president name").

    words: of the column's label. unique: whether every row has its own, and the column leads the table or its numbers
    leave hardly a gap: else they may be quantities ("toll", of a table of tolls).
    """
    if len(words) != 1:
        return False
    (word,) = words
    own = any(noun != word and word in (lexicon.singular(noun), _one_of(noun, word, lexicon)) for noun in around.nouns)
    if unique and own:
        return True
    named = [label for label in around.labels if len(label) == 2 and word in label]
    others = {other for label in named for other in label if other != word}
    return any("name" in lexicon.notions(other) for other in others)


def _one_of(noun: str, word: str, lexicon: Lexicon) -> str:
    return word if lexicon.plural(word) == noun else noun


def counts_up(numbers: list[int], concepts: Collection[str]) -> bool:
    """Tell numbers that name rows from amounts: each larger than the one before, and hardly any left out."""
    if len(numbers) < 3 or not _QUANTITIES.isdisjoint(concepts):
        return False
    rising = all(a < b for a, b in pairwise(numbers))
    return rising and numbers[-1] - numbers[0] < 1.5 * len(numbers)


def quantities() -> frozenset[str]:
    """Return the notions whose numbers are quantities, however they run."""
    return _QUANTITIES
