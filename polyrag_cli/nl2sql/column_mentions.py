"""Owns which words of a question name columns of a table: by labels, notions, spellings, or as a part of a date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.lexicon import Lexicon
from polyrag_cli.nl2sql.named_words import no_column_words
from polyrag_cli.nl2sql.notions import UNLINKED
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.spelling import alike
from polyrag_cli.nl2sql.trades import traded_columns

_WHOLE_LABEL = 0.99

_Matches = dict[tuple[int, int], tuple[frozenset[int], float]]
"""Which words of a label a word of the question matches, and how well, by the latter and the column's position."""


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


def column_mentions(question: Question, table: TableEntry, taken: set[int]) -> list[ColumnMention]:
    """Return the mentions of columns among the words that aren't taken."""
    blocked = taken | no_column_words(question)
    matches: _Matches = {}
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


def date_parts(question: Question, table: TableEntry) -> list[ColumnMention]:
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


def _clusters(question: Question, table: TableEntry, matches: _Matches, soft: set[int]) -> Iterator[ColumnMention]:
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
    matches: _Matches,
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
    matches: _Matches,
    lexicon: Lexicon,
) -> float:
    hits = [matches[i, entry.position] for i in run]
    words = frozenset().union(*(words for words, _ in hits))
    # "Order" is the whole of "order id".
    nouns = [w for w, word in enumerate(entry.words) if not lexicon.identifies(word) or w in words]
    share = len(words) / len(nouns)
    best = max(quality for _, quality in hits)
    return round(best if share == 1 else best * entry.modified(words) * (0.55 + 0.4 * share), 6)
