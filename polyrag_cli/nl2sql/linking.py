"""Owns the links of a question's words to one table's columns and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.lexicon import Lexicon
from polyrag_cli.nl2sql.meanings import near_meanings, widened
from polyrag_cli.nl2sql.named_words import no_column_words, with_negation
from polyrag_cli.nl2sql.notions import PEOPLE, UNLINKED
from polyrag_cli.nl2sql.opposites import denied_columns
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.spelling import alike
from polyrag_cli.nl2sql.trades import names_trades, traded_columns

_WHOLE_LABEL = 0.99


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """Words that name a column: `options` are (column position, quality 0–1), best first.

    optional: the words are an operation as well, so no reading has to use the column.
    part: "month" or "year" when the words name that part of a date column. denied: they name the opposite of a column
    of yes and no.
    """

    tokens: tuple[int, ...]
    options: tuple[tuple[int, float], ...]
    optional: bool = False
    part: Literal["", "month", "year"] = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Words that name cells: `options` are (column position, values, quality 0–1), best first."""

    tokens: tuple[int, ...]
    options: tuple[tuple[int, tuple[str, ...], float], ...]


@dataclass(frozen=True, slots=True)
class Links:
    """A question's links to one table; `label` are words that name the table itself."""

    columns: tuple[ColumnMention, ...]
    values: tuple[ValueMention, ...]
    label: tuple[int, ...]


def link(question: Question, table: TableEntry, similar: Similar | None = None) -> Links:
    """Return the links of a question to a table; no word belongs to two mentions.

    Qualities: a whole cell 1, its inflection .9, a part of one .75; a column's whole label 1, a part of it .55 + .4
    · share, an opposite by a prefix .9, a synonym .8, a near spelling .8, an abbreviation .7, a near meaning
    cosine + .15.
    """
    values = _value_mentions(question, table)
    taken = {i for mention in values for i in mention.tokens}
    open_to = [i for i in question.content() if i not in taken and i not in no_column_words(question)]
    denied = [ColumnMention((i,), ((p, 0.9),), denied=True) for i, p in denied_columns(question, open_to, table)]
    taken.update(i for mention in denied for i in mention.tokens)
    columns = denied + _column_mentions(question, table, taken)
    taken.update(i for mention in columns for i in mention.tokens)
    parts = [mention for mention in _date_parts(question, table) if not taken.intersection(mention.tokens)]
    columns += parts
    taken.update(i for mention in parts for i in mention.tokens)
    label = tuple(i for i in question.content() if i not in taken and _names_table(question, i, table))
    if similar is not None and (columns or values or label):
        units = {n.last + 1 for n in question.numbers}
        taking_part = question.lexicon.tables.taking_part
        rest = [
            i
            for i in question.content()
            if i not in taken and i not in label and i not in units and question.tokens[i].folded not in taking_part
        ]
        wider = widened(question, [(m.tokens, m.options[0][0]) for m in columns], rest, table, similar)
        columns = [
            replace(m, tokens=tuple(sorted({*m.tokens, *wider.get(which, ())}))) for which, m in enumerate(columns)
        ]
        rest = [i for i in rest if not any(i in words for words in wider.values())]
        linked = frozenset(m.options[0][0] for m in columns if not m.optional)
        near = near_meanings(question, rest, linked, table, similar)
        columns += [ColumnMention(m.tokens, m.columns, denied=m.denied) for m in near if m.columns]
        values += [ValueMention(m.tokens, m.values) for m in near if m.values]
        label += tuple(i for m in near if m.table for i in m.tokens)
    return Links(
        tuple(sorted(columns, key=lambda m: m.tokens)),
        tuple(sorted(values, key=lambda m: m.tokens)),
        tuple(sorted(label)),
    )


def _names_table(question: Question, i: int, table: TableEntry) -> bool:
    token = question.tokens[i]
    notions = table.label_concepts & token.notions
    return bool(notions or table.label_stems.intersection(token.stems)) or names_trades(token, table)


# ---------------------------------------------------------------- values
def _value_mentions(question: Question, table: TableEntry) -> list[ValueMention]:
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    found: list[ValueMention] = []
    position = 0
    while position < len(question.tokens):
        mention = _longest_value(question, table, position, marked)
        if mention is None:
            position += 1
            continue
        found.append(mention)
        position = mention.tokens[-1] + 1
    return found


def _longest_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    tokens = question.tokens
    for length in range(min(table.cells.starts.get(tokens[first].folded, 0), len(tokens) - first), 0, -1):
        span = tuple(range(first, first + length))
        if not _may_be_value(question, table, span, marked):
            continue
        refs = table.cells.whole.get(tuple(tokens[i].folded for i in span))
        if refs:
            return ValueMention(span, _options(refs, 1.0))
    if tokens[first].empty or first in marked:
        return None
    return (
        _inflected_value(question, table, first, marked)
        or _part_of_value(question, table, first, marked)
        or _common_noun(question, table, first)
    )


def _common_noun(question: Question, table: TableEntry, first: int) -> ValueMention | None:
    """Link a noun that several values of one column share, or that "how many" asks for."""
    token = question.tokens[first]
    if _names_column(question, first, table) or _names_table(question, first, table) or token.notions:
        return None
    if token.capital and first > 0:
        return None
    alike = table.named_alike(token.stems)
    counted = any(mark.last + 1 == first for mark in question.find("count"))
    return ValueMention((first,), _options(alike, 0.75)) if len(alike) > 1 or (alike and counted) else None


def _may_be_value(question: Question, table: TableEntry, span: tuple[int, ...], marked: set[int]) -> bool:
    words = [question.tokens[i] for i in span]
    if words[0].empty and not words[0].capital and len(span) == 1:
        return False
    if all(word.folded.isdigit() for word in words):
        # A bare figure is a cell only beside the name of its column.
        return any(_names_column(question, j, table) for j in (span[0] - 1, span[0] - 2) if j >= 0)
    if len(span) > 1:
        return not all(i in marked for i in span)
    word = words[0]
    if span[0] in marked and _of_named_column(question, table, span[0]):
        return True
    if span[0] in marked or (word.empty and (span[0] == 0 or len(word.folded) < 2)):
        return False
    return not (_names_column(question, span[0], table) and not word.capital)


def _of_named_column(question: Question, table: TableEntry, i: int) -> bool:
    """Tell a cell from an operation written alike: it stands right behind its column's name ("gravidade média")."""
    refs = table.cells.whole.get((question.tokens[i].folded,), ())
    before = question.tokens[i - 1].stems if i else ()
    return any(ref.position in table.by_stem.get(stem, ()) for ref in refs for stem in before)


def _names_column(question: Question, i: int, table: TableEntry) -> bool:
    return any(stem in table.by_stem for stem in question.tokens[i].stems)


def _options(refs: Sequence[ValueRef], quality: float) -> tuple[tuple[int, tuple[str, ...], float], ...]:
    grouped: dict[int, list[str]] = {}
    for ref in refs:
        grouped.setdefault(ref.position, []).append(ref.value)
    return tuple((position, tuple(sorted(values)), quality) for position, values in sorted(grouped.items()))[:3]


def _content_run(question: Question, first: int, marked: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield runs of content words from `first` on (function words between them skipped), longest first."""
    run = [first]
    for i in range(first + 1, min(first + 8, len(question.tokens))):
        if i in marked:
            break
        if not question.tokens[i].empty:
            run.append(i)
        elif i - run[-1] > 1:
            break
    for length in range(len(run), 0, -1):
        yield tuple(run[:length])


def _inflected_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    span, held = with_negation(question, table, first)
    if held:
        return ValueMention(span, _options(held, 0.9))
    for run in _content_run(question, first, marked):
        if len(run) == 1 and _names_column(question, first, table):
            return None
        refs = table.cells.inflected([(question.tokens[i].folded, question.tokens[i].stems) for i in run])
        if refs:
            return ValueMention(tuple(range(run[0], run[-1] + 1)), _options(refs, 0.9))
    return None


def _part_of_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    if _names_column(question, first, table) or question.tokens[first].folded.isdigit():
        return None
    for run in _content_run(question, first, marked):
        words = [question.tokens[i].folded for i in run]
        if any(word not in table.cells.parts for word in words):
            continue
        shared = [ref for ref in table.cells.parts[words[0]] if _ordered(words, table.cells.words[ref])]
        if len(shared) == 1 and (len(run) > 1 or _like_a_name(question, first, table.columns[shared[0].position])):
            return ValueMention(tuple(range(run[0], run[-1] + 1)), _options(shared, 0.75))
    return None


def _like_a_name(question: Question, i: int, entry: ColumnEntry) -> bool:
    """Tell whether one word may stand for a longer name: by its capital, or as a person's in a question without
    capitals.
    """
    if question.tokens[i].capital and i > 0:
        return True
    plain = not any(token.capital for token in question.tokens[1:])
    return plain and i > 0 and bool(entry.concepts & PEOPLE) and question.tokens[i - 1].empty


def _ordered(words: Sequence[str], cell: Sequence[str]) -> bool:
    position = -1
    for word in words:
        try:
            position = cell.index(word, position + 1)
        except ValueError:
            return False
    return True


# ---------------------------------------------------------------- columns
def _column_mentions(question: Question, table: TableEntry, taken: set[int]) -> list[ColumnMention]:
    blocked = taken | no_column_words(question)
    matches: dict[tuple[int, int], tuple[frozenset[int], float]] = {}
    for i in range(len(question.tokens)):
        if i in blocked:
            continue
        traded = traded_columns(question, i, table)
        for entry in _candidates(question, i, table) if traded is None else traded:
            hit = _match(question, i, entry, traded is not None)
            if hit is not None:
                matches[i, entry.position] = hit
    soft = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    return list(_clusters(question, table, matches, soft))


def _date_parts(question: Question, table: TableEntry) -> list[ColumnMention]:
    """Link "month" and "year" to the table's only date column, unless they only introduce a date."""
    dated = [entry.position for entry in table.columns if entry.role == "date"]
    near = {i for date in question.dates for i in range(date.first - 2, date.last + 1)}
    near -= {mark.last + 1 for mark in question.find("group")}
    if question.find("how_much") and not question.find("sum", "average"):
        # "How much is it per month" asks for a monthly fee where there is one.
        fees = any("fee" in entry.concepts for entry in table.columns)
        near |= {mark.last + 1 for mark in question.find("group")} if fees else set()
    if len(dated) != 1:
        return []
    return [
        ColumnMention((i,), ((dated[0], 0.95),), part="month" if token.date_part == "month" else "year")
        for i, token in enumerate(question.tokens)
        if i not in near and token.date_part in ("month", "year")
    ]


def _candidates(question: Question, i: int, table: TableEntry) -> list[ColumnEntry]:
    """Return the columns that may be meant by a word; by spelling only where nothing is equal by stem or notion."""
    token = question.tokens[i]
    direct = sorted({p for stem in token.stems for p in table.by_stem.get(stem, ())})
    if not direct and (not token.empty or "amount" in token.notions):
        direct = sorted({p for c in token.notions for p in table.by_concept.get(c, ())})
        if not direct and not token.empty and len(token.folded) >= 4:
            return list(table.columns)
    return [table.columns[p] for p in direct]


def _match(question: Question, i: int, entry: ColumnEntry, traded: bool) -> tuple[frozenset[int], float] | None:
    """Return which of the label's words the token matches, and how well."""
    token = question.tokens[i]
    equal = frozenset(w for w, group in enumerate(entry.stems) if group.intersection(token.stems))
    if equal:
        return equal, 1.0
    if traded:
        return frozenset(range(len(entry.words))), 0.8
    shared = (token.notions & entry.concepts) - UNLINKED
    if token.empty and "amount" not in shared:
        return None
    if shared:
        preferred = question.lexicon.preferred.get(token.folded)
        named = frozenset(w for w, notions in enumerate(entry.notions) if notions & shared)
        return named or frozenset(range(len(entry.words))), 0.8 if preferred in shared or preferred is None else 0.65
    return _spelled_alike(token.folded, entry)


def _spelled_alike(word: str, entry: ColumnEntry) -> tuple[frozenset[int], float] | None:
    for w, label in enumerate(entry.words):
        quality = alike(word, label)
        if quality:
            return frozenset((w,)), quality
    return None


def _clusters(
    question: Question, table: TableEntry, matches: dict[tuple[int, int], tuple[frozenset[int], float]], soft: set[int]
) -> Iterator[ColumnMention]:
    """Group matched words into mentions, the ones of most words first; equal groups become options of one mention."""
    free = {i for i, _ in matches}
    while free:
        groups: dict[tuple[int, ...], list[tuple[int, float]]] = {}
        for entry in table.columns:
            hits = sorted(i for i, p in matches if p == entry.position and i in free)
            for run in _runs(question, hits):
                groups.setdefault(run, []).append((entry.position, _quality(run, entry, matches, table.lexicon)))
        if not groups:
            return
        best = max(groups, key=lambda run: (len(run), max(q for _, q in groups[run]), -run[0]))
        options = _whole_labels_first(best, table, matches, _best_spelled(question, best, table, groups[best]))
        top = options[0][1]
        # A whole label leaves no room for columns that share only a part of theirs.
        near = 0.1 if top >= _WHOLE_LABEL else 0.25
        kept = tuple(option for option in options if option[1] >= top - near)[:3]
        vague = top < 1.0 and all(i in soft or question.tokens[i].empty for i in best)
        yield ColumnMention(best, kept, optional=vague or all(i in soft for i in best))
        free -= set(best)


def _whole_labels_first(
    run: tuple[int, ...],
    table: TableEntry,
    matches: dict[tuple[int, int], tuple[frozenset[int], float]],
    options: list[tuple[int, float]],
) -> list[tuple[int, float]]:
    """Return the options, of those that are as good as whole labels only such whose every word is named, where there
    are any: "product" is the whole of its own column, and of "product code" all but what says that it is a code.
    """

    def named(position: int) -> frozenset[int]:
        return frozenset().union(*(matches[i, position][0] for i in run))

    words = {position: len(table.columns[position].words) for position, _ in options}
    whole = [p for p, quality in options if quality >= _WHOLE_LABEL and len(named(p)) == words[p]]
    return [o for o in options if not whole or o[0] in whole or o[1] < _WHOLE_LABEL]


def _best_spelled(
    question: Question, run: tuple[int, ...], table: TableEntry, options: Sequence[tuple[int, float]]
) -> list[tuple[int, float]]:
    """Return the options, best first, without those that are as good as the best by a stem alone.

    A stemmer may make one of two words ("colmena", a hive, and "colmenar", where hives stand): where the question's
    word is that of another column, or goes on as it does, that one is meant.
    """
    found = sorted(options, key=lambda option: (-option[1], option[0]))
    tied = [position for position, quality in found if quality == found[0][1]]
    spelled = [p for p in tied if all(_goes_on(question.tokens[i].folded, table.columns[p]) for i in run)]
    return [option for option in found if option[0] not in tied or not spelled or option[0] in spelled]


def _goes_on(word: str, entry: ColumnEntry) -> bool:
    return any(word.startswith(label) or label.startswith(word) for label in entry.words)


def _runs(question: Question, hits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield groups of matched words with nothing but function words between them."""
    run: list[int] = []
    for i in hits:
        apart = run and not all(question.tokens[j].empty for j in range(run[-1] + 1, i))
        if apart or question.tokens[i].folded in {question.tokens[j].folded for j in run}:
            yield tuple(run)
            run = []
        run.append(i)
    if run:
        yield tuple(run)


def _quality(
    run: tuple[int, ...],
    entry: ColumnEntry,
    matches: dict[tuple[int, int], tuple[frozenset[int], float]],
    lexicon: Lexicon,
) -> float:
    hits = [matches[i, entry.position] for i in run]
    words = frozenset().union(*(words for words, _ in hits))
    # "Order" is the whole of "order id".
    nouns = [w for w, word in enumerate(entry.words) if not lexicon.identifies(word) or w in words]
    share = len(words) / len(nouns)
    best = max(quality for _, quality in hits)
    return round(best if share == 1 else best * entry.modified(words) * (0.55 + 0.4 * share), 6)
