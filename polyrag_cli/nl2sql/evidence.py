"""Owns how much of a question each table can explain: the router's evidence for the relational store."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from polyrag_cli.nl2sql.cells import run_of
from polyrag_cli.nl2sql.index import Hit, SchemaIndex
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.named_words import negated_ends, with_negation
from polyrag_cli.nl2sql.question import AskedWord, Question, take_apart
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.table_search import explaining, whole_names
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import TableSchema

_FLOOR = 0.5
# What a word counts that stands in a cell beside others, and what more one does that is in the table's name.
_PARTLY = 0.6
_IN_NAME = 0.25
# Operations whose words mean other things as often ("fell", "next"): as evidence they are words like any other.
_SELDOM = (
    "growth", "next", "previous", "same", "other", "none", "only", "both", "consecutive", "mode", "rank", "ratio",
    "median",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """What one table knows of a question.

    coverage: idf share of the question's content words that its columns or values explain, 0–1.
    kind: "value", "column" or "table" of the strongest match; name: what was matched; words: the words explained.
    """

    table: str
    coverage: float
    kind: str
    name: str
    words: tuple[str, ...]


def table_evidence(
    question: Utterance,
    schemas: SchemaIndex | Sequence[TableSchema],
    similar: Similar | None = None,
) -> list[TableEvidence]:
    """Return the evidence of each table that explains anything, best first, ties by name.

    A word counts 1 when it is a column's or a value's by stem, otherwise the cosine of its nearest column label from
    .5 on.
    Operation words and numbers are left out, unless they are part of a header that is spelled out. A word's weight is
    idf over tables and values: what every table holds says little.

    Args:
        schemas: an index built once a generation, or the schemas themselves.
        similar: cosines of words to labels; without it only equal stems count.
    """
    index = schemas if isinstance(schemas, SchemaIndex) else SchemaIndex(schemas)
    asked = take_apart(question)
    positions = _telling(asked, index)
    if not positions or not index.names:
        return []
    hits = _hits(asked, positions, index)
    met = Counter(i for found in hits.values() for i in found)
    near = _nearest(asked, [i for i in positions if not met[i]], index, similar)
    weights = {i: _idf(met[i], len(index.names)) for i in positions}
    total = sum(weights.values())
    alike: dict[int, dict[int, float]] = {}
    for i, (cosine, label) in near.items():
        for position in index.postings.labels.get(label):
            alike.setdefault(position, {})[i] = cosine
    results: list[TableEvidence] = []
    for position in hits.keys() | alike.keys():
        found, soft = hits.get(position, {}), alike.get(position, {})
        share = (sum(weights[i] for i in found) + sum(weights[i] * c for i, c in soft.items())) / total
        kind, name = _strongest(found) if found else ("column", near[max(soft, key=lambda i: (soft[i], -i))][1])
        words = tuple(asked.tokens[i].folded for i in sorted({*found, *soft}))
        results.append(TableEvidence(index.names[position], round(share, 6), kind, name, words))
    return sorted(results, key=lambda e: (-e.coverage, e.table))


def table_shares(question: Question, index: SchemaIndex) -> dict[int, float]:
    """Return how much of a question each table explains, 0–1 or a little more, by its position.

    Among many tables, some cell holds nearly any word: one that stands in a cell beside others counts less than one
    that names a column, a whole cell or the table, and one that is part of the table's name a little more.
    """
    positions = _telling(question, index)
    hits = _hits(question, positions, index)
    met = Counter(i for found in hits.values() for i in found)
    weights = {i: _idf(met[i], len(index.names)) for i in positions}
    total = sum(weights.values()) or 1.0
    named = {
        i: {position for stem in question.tokens[i].stems for position in index.postings.name_stems.get(stem)}
        for i in positions
    }
    whole = {position: found.keys() for position, found in _named(question, index).items()}
    shares: dict[int, float] = {}
    for position, found in hits.items():
        worth = 0.0
        for i, (kind, _) in found.items():
            partly = kind == "value" and i not in whole.get(position, ())
            worth += weights[i] * ((_PARTLY if partly else 1.0) + _IN_NAME * (position in named[i]))
        shares[position] = round(worth / total, 6)
    return shares


def _telling(question: Question, index: SchemaIndex) -> list[int]:
    """Return the words that tell which table is meant."""
    seldom = [i for mark in question.find(*_SELDOM) for i in range(mark.first, mark.last + 1)]
    plain = [i for i in seldom if not question.tokens[i].empty]
    content = question.content() + plain + [d.first for d in question.dates if d.month is not None]
    return sorted({*content, *_spelled_out(question, index)})


def _spelled_out(question: Question, index: SchemaIndex) -> list[int]:
    """Return the words of headers of several words that stand in the question whole, function words apart."""
    is_function_word = question.lexicon.is_function_word
    spoken = [i for i, token in enumerate(question.tokens) if not is_function_word(token.folded)]
    # A word that says nothing elsewhere ("amount") does where a column is called so.
    postings = index.postings
    found = [i for i in spoken if question.tokens[i].empty and postings.is_lone_label(question.tokens[i].stems)]
    for k, (first, second) in enumerate(pairwise(spoken)):
        pairs = product(question.tokens[first].stems, question.tokens[second].stems)
        for header in {header for pair in pairs for header in postings.headers(*pair)}:
            run = spoken[k : k + len(header)]
            if len(run) == len(header) and all(
                stems.intersection(question.tokens[i].stems) for stems, i in zip(header, run, strict=True)
            ):
                found += run
    return found


def _idf(df: int, n: int) -> float:
    return math.log((n + 1) / (df + 0.5)) + 1.0


def _hits(question: Question, positions: Sequence[int], index: SchemaIndex) -> dict[int, dict[int, Hit]]:
    """Return what explains each of the words in each table that has anything to do with them, by the table's position;
    whole values before single words.
    """
    named = _named(question, index)
    hits: dict[int, dict[int, Hit]] = {}
    for position, found in named.items():
        whole = {i: found[i] for i in positions if i in found}
        if whole:
            hits[position] = whole
    for i in positions:
        for position, hit in _explaining(question, i, index).items():
            if i not in named.get(position, ()):
                hits.setdefault(position, {})[i] = hit
    return hits


def _named(question: Question, index: SchemaIndex) -> dict[int, dict[int, Hit]]:
    """Return the words that are a cell's whole name, or one that holds a negation, by the table's position."""
    spans: list[list[tuple[int, range, str]]] = [[] for _ in question.tokens]
    for first, length, tables in whole_names(question, index.postings):
        longer = {position for position, _, _ in spans[first]}
        for position, value in tables.items():
            if position not in longer:
                spans[first].append((position, range(first, first + length), value))
    found: dict[int, dict[int, Hit]] = {}
    for first, named in enumerate(spans):
        for position, span, value in named:
            for i in span:
                found.setdefault(position, {}).setdefault(i, ("value", value))
        for position in _denying(question, first, index):
            negated, held = with_negation(question, index.tables[position], first)
            for i in negated:
                found.setdefault(position, {}).setdefault(i, ("value", held[0].value))
    return found


def _denying(question: Question, first: int, index: SchemaIndex) -> list[int]:
    """Return the tables that may hold a value which is named from a word on and denies something."""
    folded = [token.folded for token in question.tokens]
    runs = {run_of(folded[first : last + 1]) for last in negated_ends(question, first)}
    held = {position for run in runs for position in index.postings.runs.get(run)}
    return [p for p in explaining(question.tokens[first], False, index.postings) if p in held] if held else []


def _explaining(question: Question, i: int, index: SchemaIndex) -> Mapping[int, Hit]:
    """Return what explains a word by itself, by the table's position; kept from one question to the next."""
    token = question.tokens[i]
    dated = any(d.first <= i <= d.last for d in question.dates)
    key = (question.language, token.folded, dated)
    kept = index.explained.get(key)
    if kept is None:
        kept = _explained(token, dated, index)
        index.explained.put(key, kept, len(kept))
    return kept


def _explained(token: AskedWord, dated: bool, index: SchemaIndex) -> dict[int, Hit]:
    """Return what explains a word in each table: a column, the table's name where it is a trade's, a cell, the name."""
    postings = index.postings
    tables = explaining(token, dated, postings)
    found: dict[int, Hit] = {}

    def add(kind: str, names: Mapping[int, str]) -> None:
        for position, name in names.items():
            if name:
                found.setdefault(position, (kind, name))

    def add_tables(positions: Iterable[int]) -> None:
        add("table", {position: index.names[position] for position in positions})

    for stem in token.stems:
        add("column", postings.column_stems.values(stem))
    if token.trade:
        add_tables(postings.roles.get("trades"))
    for concept in sorted(token.notions):
        add("column", postings.concepts.values(concept))
    add("value", postings.inflected(token.folded, every_language().unstemmed(token.folded)))
    add("value", postings.parts(token.folded))
    if dated:
        add("column", postings.roles.values("dated"))
    else:
        if token.date_part:
            add("column", postings.roles.values("with_date"))
        add("value", postings.headed(token.stems))
        for stem in token.stems:
            add_tables(postings.name_stems.get(stem))
    return {position: found[position] for position in tables if position in found}


def _strongest(found: dict[int, Hit]) -> Hit:
    order = {"value": 0, "column": 1, "table": 2}
    return min((hit for _, hit in sorted(found.items())), key=lambda hit: order[hit[0]])


def _nearest(
    question: Question, unknown: Sequence[int], index: SchemaIndex, similar: Similar | None
) -> dict[int, tuple[float, str]]:
    if similar is None or not unknown or not index.labels:
        return {}
    cosines = similar([question.tokens[i].text.lower() for i in unknown], index.labels)
    near: dict[int, tuple[float, str]] = {}
    for row, i in enumerate(unknown):
        best = int(cosines[row].argmax())
        cosine = round(float(cosines[row, best]), 6)
        if cosine >= _FLOOR:
            near[i] = (cosine, index.labels[best])
    return near
