"""Owns a column of a table with the words of its label, and what it is for: quantities, dates, names, codes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from polyrag_cli.nl2sql.accents import accented
from polyrag_cli.nl2sql.label_words import label_parts, says_percent
from polyrag_cli.nl2sql.lexicon import Lexicon, every_language
from polyrag_cli.nl2sql.notions import ADDITIVE, NOT_ADDITIVE
from polyrag_cli.nl2sql.numbering import Surroundings, counts_up, numbers_things, quantities
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Column

Role = Literal["measure", "year", "month", "date", "boolean", "text", "code"]

# What a column of these holds is told by its label's other words.
_MODIFIER = 0.6
# In fewer rows, 0 and 1 may be numbers of anything.
_FLAGGED = 12
_HEADLESS = frozenset({"amount", "name", "quantity", "date", "year", "month", "code"})


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


def column_entry(column: Column, position: int, rows: int, around: Surroundings, lexicon: Lexicon) -> ColumnEntry:
    """Return the entry of a column; rows: the table's; around: what it stands among."""
    # What says which rows are totals is no column of the source: nothing names it.
    kept = () if column.total else _label_words(column, lexicon)
    unique = rows > 1 and column.distinct == rows
    named = tuple(frozenset(all_stems(p)) for p in kept)
    of_rows = _is_table_noun(kept, named, around.stems, lexicon)
    role = _role(column, lexicon, unique, of_rows, around, leads=position == 0)
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
        frozenset((*all_stems(p), *(all_stems(of) if of else ()), *_alike(p, column, kept)))
        for p, of in zip(kept, described, strict=True)
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
        names_rows=role in ("text", "code") and _is_table_noun(kept, stems, around.stems, lexicon),
        phrase=" ".join(accented(p, lexicon.code) for p in kept),
        denies=denies,
        head=_head(column, kept, lexicon),
    )


def _alike(word: str, column: Column, words: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of what says the same as a label's word for per cent ("pct_women", "percentage of women")."""
    tables = every_language().tables
    percents = tables.percents | tables.parts
    if word not in percents or not says_percent(column, words):
        return frozenset()
    return frozenset(stem for each in percents for stem in all_stems(each))


def _head(column: Column, kept: tuple[str, ...], lexicon: Lexicon) -> int:
    """Return which of a label's words says what the column holds: the last before a preposition in English, the first
    elsewhere; -1 where that word is as good as none ("value", "number", "name").
    """
    parts = label_parts(column.label) or label_parts(column.name)
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


def _is_table_noun(
    words: tuple[str, ...], stems: tuple[frozenset[str], ...], table_stems: frozenset[str], lexicon: Lexicon
) -> bool:
    nouns = [group for word, group in zip(words, stems, strict=True) if not lexicon.identifies(word)]
    return bool(nouns) and all(group & table_stems for group in nouns)


def _label_words(column: Column, lexicon: Lexicon) -> tuple[str, ...]:
    parts = label_parts(column.label) or label_parts(column.name)
    return tuple(p for p in parts if not lexicon.is_function_word(p) and p != column.unit.lower()) or parts


def _role(column: Column, lexicon: Lexicon, unique: bool, of_rows: bool, around: Surroundings, leads: bool) -> Role:
    """Return what a column is for: quantities are measured, everything else names, dates or numbers things.

    lexicon: the words of the table's language. unique: whether every row has its own value. of_rows: whether it is
    called what the rows are, whose numbering then is no quantity ("visit" 1001, 1002 …). around: what it stands among.
    leads: whether it is the table's first.
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
            and ("year" in concepts or (len(words) == 1 and not (concepts & ADDITIVE or lexicon.identifies(words[0]))))
        ):
            return "year"
        if "month" in concepts and numbers and all(1 <= n <= 12 for n in numbers):
            return "month"
        numbered = any(lexicon.identifies(word) for word in words)
        own = unique and (leads or counts_up(sorted(numbers), ()))
        numbered = (numbered and not set(words) & lexicon.tables.rows) or numbers_things(words, own, around, lexicon)
        if numbered or (unique and counts_up(numbers, set() if of_rows else concepts)):
            return "code"
    return "measure"


def _is_flag(column: Column, rows: int, lexicon: Lexicon) -> bool:
    """Tell figures that say yes and no: nothing but 1 and 0 in many rows, of what isn't counted."""
    concepts = {c for w in _label_words(column, lexicon) for c in lexicon.notions(w)}
    return (
        column.type == "integer"
        and set(column.values) == {"0", "1"}
        and rows >= _FLAGGED
        and not concepts & quantities()
    )


def _additive(column: Column, words: tuple[str, ...], lexicon: Lexicon) -> bool | None:
    if set(words) & lexicon.tables.rates or says_percent(column, words):
        return False
    notions = [lexicon.notions(word) for word in words]
    if any(n & NOT_ADDITIVE and not n & ADDITIVE for n in notions):
        return False
    if any(n & NOT_ADDITIVE for n in notions):
        return None
    return True if any(n & ADDITIVE for n in notions) else None
