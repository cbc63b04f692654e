"""Owns one way to read a question on one table: which columns and restrictions its words stand for, and their roles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Literal

from polyrag_cli.nl2sql.conditions import filter_options, merged, negate
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.linking import Links
from polyrag_cli.nl2sql.notions import PEOPLE, PLACES, TIMES
from polyrag_cli.nl2sql.plans import Condition
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.restrictions import Filter

MAX_READINGS = 160


@dataclass(frozen=True, slots=True)
class Named:
    """A column that the question names and that restricts nothing; `tokens` are the words that name it.

    vague: the words may mean an operation or everything. rows: beside a quantity, the name of what each row is.
    """

    tokens: tuple[int, ...]
    entry: ColumnEntry
    quality: float
    vague: bool
    part: Literal["", "month", "year"] = ""
    rows: bool = False

    @property
    def optional(self) -> bool:
        """Whether a plan may leave it out."""
        return self.vague or self.rows


@dataclass(frozen=True, slots=True)
class Reading:
    """One choice among the options of every link of a question.

    named: columns that a plan has to use, in order of place. conditions: what `filters` state, merged.
    context: words that a restriction's column or a repeated name accounts for.
    """

    question: Question
    table: TableEntry
    named: tuple[Named, ...]
    filters: tuple[Filter, ...]
    conditions: tuple[Condition, ...] | None
    context: tuple[int, ...]
    label: tuple[int, ...]

    def after(self, mark: Mark, named: Named, words: int = 3) -> bool:
        """Whether a column's name follows a mark with nothing but function words, figures and other marks between."""
        return (
            mark.last < named.tokens[0]
            and named.tokens[0] - mark.last <= words
            and self._quiet(mark.last, named.tokens[0])
        )

    def directly(self, mark: Mark, named: Named) -> bool:
        """Whether a column's name is the noun that a mark asks for: only articles, "of" and the like stand between."""
        between = range(mark.last + 1, named.tokens[0])
        return (
            0 <= len(between) <= 4
            and named.tokens[0] > mark.last
            and all(self.question.tokens[i].folded in self.question.lexicon.grammar.articles for i in between)
        )

    def leads_to(self, mark: Mark, token: int) -> bool:
        """Whether only restrictions and function words stand between a mark and a word behind it."""
        restricting = {i for f in self.filters for i in f.tokens}
        between = range(mark.last + 1, token)
        return token > mark.last and all(self.question.tokens[i].empty or i in restricting for i in between)

    def right_behind(self, mark: Mark) -> list[Filter]:
        """The restriction whose words follow a mark at once, if any."""
        articles = self.question.lexicon.grammar.articles
        return [
            f
            for f in self.filters
            if mark.last < f.tokens[0] <= mark.last + 3
            and all(self.question.tokens[i].folded in articles for i in range(mark.last + 1, f.tokens[0]))
        ]

    def beside(self, mark: Mark, named: Named) -> bool:
        """Whether a column's name stands next to a mark, on either side."""
        before = named.tokens[-1] < mark.first and mark.first - named.tokens[-1] <= 2
        return self.after(mark, named) or (before and self._quiet(named.tokens[-1], mark.first))

    def _quiet(self, first: int, last: int) -> bool:
        marked = {i for mark in self.question.marks for i in range(mark.first, mark.last + 1)}
        counted = {i for n in self.question.numbers for i in range(n.first, n.last + 1)}
        return all(self.question.tokens[i].empty or i in marked or i in counted for i in range(first + 1, last))

    def grouped(self) -> list[Named]:
        """The columns named right behind "by", "per", "each" …"""
        return [n for n in self.named if any(self._groups(m, n) for m in self.question.find("group"))]

    def _groups(self, mark: Mark, named: Named) -> bool:
        # "Affected by incidents" says by what; "by incident", or "by region", groups.
        plural = self.question.tokens[named.tokens[-1]].folded.endswith("s") and not named.part
        agents = self.question.lexicon.grammar.agents
        agent = plural and (named.entry.unique or named.rows) and self.question.tokens[mark.last].folded in agents
        return self.after(mark, named, 2) and not agent

    def identifying(self) -> list[str]:
        """The columns that tell the rows apart and that no restriction fixes."""
        fixed = {c.column for c in self.conditions or () if c.operator == "="}
        return [c.column.name for c in self.table.identifying if c.column.name not in fixed]

    def row_noun(self) -> int | None:
        """The position of a word that stands for a row of the table, or that names the table itself."""
        for i, token in enumerate(self.question.tokens):
            if token.folded in self.question.lexicon.tables.rows or i in self.label:
                return i
        return None

    def implied(self) -> ColumnEntry | None:
        """The one column that "who", "where" or "when" asks for; None without such a word or with several columns."""
        wanted: frozenset[str] = frozenset()
        for operation, concepts in (("who", PEOPLE), ("where", PLACES), ("when", TIMES)):
            if self.question.find(operation):
                wanted = concepts
        found = [c for c in self.table.columns if c.concepts & wanted and c.role != "measure"]
        for mark in self.question.marks:
            if mark.operation.startswith("ask:"):
                found = [c for c in self.table.columns if mark.operation[4:] in c.concepts]
        return found[0] if len(found) == 1 else None


def readings(question: Question, table: TableEntry, links: Links) -> Iterator[Reading]:
    """Yield the ways to read a question on a table, best links first, at most 160."""
    filters = filter_options(question, table, links)
    mentions = [mention.options for mention in links.columns]
    choices = product(product(*filters), product(*mentions))
    for chosen_filters, chosen_columns in islice(choices, MAX_READINGS):
        yield _reading(question, table, links, chosen_filters, chosen_columns)


def _reading(
    question: Question,
    table: TableEntry,
    links: Links,
    filters: tuple[Filter, ...],
    columns: tuple[tuple[int, float], ...],
) -> Reading:
    turned = negate(question, filters, links.columns)
    kept = filters if turned is None else tuple(turned)
    consumed = {index for restriction in kept for index in restriction.consumed}
    named: list[Named] = []
    context: list[int] = []
    for index, (mention, (position, quality)) in enumerate(zip(links.columns, columns, strict=True)):
        if index in consumed:
            continue
        if _is_context(question, mention.tokens, table.columns[position], kept):
            context += mention.tokens
            continue
        every = _means_every(question, mention.tokens[0]) and not table.columns[position].numeric
        named.append(Named(mention.tokens, table.columns[position], quality, mention.optional or every, mention.part))
    context += _role_words(question, kept) + _named_years(question, table)
    named = [replace(n, vague=True) if _only_dates(question, n) else n for n in named]
    named, verbs = _without_verbs(question, named, any(f.consumed for f in kept), links.label)
    named, repeated = _without_repeats(named)
    measured = any(name.entry.numeric or name.entry.role in ("date", "year") for name in named)
    named = [replace(n, rows=True) if _only_rows(question, n, table, measured) else n for n in named]
    named = [replace(n, vague=True) if n.part and not _asks_for_part(question, n) else n for n in named]
    return Reading(
        question=question,
        table=table,
        named=tuple(named),
        filters=kept,
        conditions=None if turned is None else merged(kept),
        context=tuple(context + verbs + repeated),
        label=links.label,
    )


_ASKED_FIRST = ("which", "list", "who", "group")


def _only_rows(question: Question, named: Named, table: TableEntry, measured: bool) -> bool:
    """Tell a noun that only says whose quantity is meant ("the value of the orders"), which restricts nothing."""
    if not measured or named.entry.numeric or named.part:
        return False
    first, words_of = named.tokens[0], question.lexicon
    relating = words_of.grammar.relating
    for mark in question.find(*_ASKED_FIRST):
        between = [question.tokens[i].folded for i in range(mark.last + 1, first)]
        plain = all(words_of.is_function_word(word) and word not in relating for word in between)
        if first > mark.last and len(between) <= 2 and plain:
            return False
    if named.entry is table.key or named.entry.names_rows:
        return True
    before = {question.tokens[i].folded for i in range(max(0, first - 3), first)}
    return bool(before & relating) and not question.superlatives()


def _only_dates(question: Question, named: Named) -> bool:
    """Tell a verb that a date column is called after ("advertised"), which restricts nothing by itself."""
    asked = question.find("when", "which", "list", "group") or question.superlatives()
    return named.entry.role in ("date", "year") and named.quality < 0.99 and not asked and not named.part


def _asks_for_part(question: Question, named: Named) -> bool:
    """Tell whether "month" or "year" is what is asked, or what groups, and not a filler ("in the year")."""
    asking = question.find("which", "list", "group", "when", "count")
    return any(0 < named.tokens[0] - mark.last <= 2 for mark in asking)


def _is_context(question: Question, tokens: tuple[int, ...], entry: ColumnEntry, filters: tuple[Filter, ...]) -> bool:
    """Tell a column's name that only introduces its value ("região Norte", "order 1023")."""
    if any(0 < tokens[0] - mark.last <= 2 for mark in question.find("group")):
        return False
    asked = any(0 < tokens[0] - mark.last <= 2 for mark in question.find("which", "list"))
    for restriction in filters:
        if restriction.position != entry.position or (asked and restriction.tokens[0] < tokens[0]):
            continue
        gap = (
            range(tokens[-1] + 1, restriction.tokens[0])
            if tokens[-1] < restriction.tokens[0]
            else range(restriction.tokens[-1] + 1, tokens[0])
        )
        marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
        if len(gap) <= 3 and all(question.tokens[i].empty or i in marked for i in gap):
            return True
    return False


def _means_every(question: Question, first: int) -> bool:
    """Tell "all regions", which restricts nothing."""
    return any(question.tokens[i].folded in question.lexicon.grammar.every for i in range(max(0, first - 2), first))


def _role_words(question: Question, filters: tuple[Filter, ...]) -> list[int]:
    """Return words such as "month" or "year" beside a date that restricts."""
    near = {
        i
        for restriction in filters
        for i in range(restriction.tokens[0] - 2, restriction.tokens[-1] + 2)
        if any(d.first in restriction.tokens for d in question.dates)
    }
    near -= {mark.last + 1 for mark in question.find("group")}
    return [i for i in sorted(near) if 0 <= i < len(question.tokens) and question.tokens[i].date_part]


def _named_years(question: Question, table: TableEntry) -> list[int]:
    """Return the years that a table without dates bears in its name ("sales 2024"): they restrict nothing in it."""
    if any(entry.role in ("date", "year") for entry in table.columns):
        return []
    years = [d for d in question.dates if d.month is None and str(d.year) in table.label_words]
    return [i for date in years for i in range(date.first, date.last + 1)]


def _without_verbs(
    question: Question, named: list[Named], bounded: bool, label: tuple[int, ...]
) -> tuple[list[Named], list[int]]:
    """Leave out quantities that only a verb calls for ("sold") where a noun names one ("tickets").

    bounded: a restriction's words name the quantity that it bounds.
    """
    taking_part = question.lexicon.tables.taking_part
    verbs = [n for n in named if n.quality < 0.99 and all(question.tokens[i].folded in taking_part for i in n.tokens)]
    nouns = bounded or any(n.entry.numeric and n not in verbs and not n.vague for n in named)
    things = [n.tokens[0] for n in named if not n.entry.numeric and not n.part] + list(label)
    asks_things = any(0 < i - m.last <= 2 for m in question.find("which", "list", "count") for i in things)
    asks_things = asks_things and not question.find("not", "except")
    asks_otherwise = (asks_things or bool(question.find("who", "when", "where"))) and not (
        question.superlatives() or question.find("more", "less", "above", "below", "versus", "sum", "average")
    )
    left_out = [n for n in verbs if n.entry.numeric and (nouns or asks_otherwise)]
    return [n for n in named if n not in left_out], [i for n in left_out for i in n.tokens]


def _without_repeats(named: list[Named]) -> tuple[list[Named], list[int]]:
    """Keep the best of several names of one column; the others' words are accounted for."""
    best: dict[int, Named] = {}
    for name in named:
        held = best.get(name.entry.position)
        if held is None or (not name.vague, name.quality) > (not held.vague, held.quality):
            best[name.entry.position] = name
    kept = [name for name in named if best[name.entry.position] is name]
    return kept, [i for name in named if best[name.entry.position] is not name for i in name.tokens]
