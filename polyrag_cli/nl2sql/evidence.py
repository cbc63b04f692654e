"""Owns how much of a question each table can explain: the router's evidence for the relational store.

Must never import a store's backend, a provider, configuration or the engine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.lexicon import ROLE_WORDS
from polyrag_cli.nl2sql.linking import with_negation
from polyrag_cli.nl2sql.question import Question, is_empty_word, known_concepts, take_apart
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.trades import names_trades
from polyrag_cli.types import TableSchema

_FLOOR = 0.5


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
    question: str | Question,
    schemas: SchemaIndex | Sequence[TableSchema],
    language: str = "und",
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
    asked = question if isinstance(question, Question) else take_apart(question, language)
    content = asked.content() + [d.first for d in asked.dates if d.month is not None]
    content += [i for table in index.tables for i in _spelled_out(asked, table)]
    positions = sorted(set(content))
    if not positions or not index.tables:
        return []
    hits = [_hits(asked, positions, table) for table in index.tables]
    known = {i for found in hits for i in found}
    unknown = [i for i in positions if i not in known]
    near = _nearest(asked, unknown, index, similar)
    weights = {i: _idf(sum(i in found for found in hits), len(hits)) for i in positions}
    total = sum(weights.values())
    results: list[TableEvidence] = []
    for table, found in zip(index.tables, hits, strict=True):
        labels = {column.phrase for column in table.columns}
        soft = {i: cosine for i, (cosine, label) in near.items() if label in labels}
        if not found and not soft:
            continue
        share = (sum(weights[i] for i in found) + sum(weights[i] * c for i, c in soft.items())) / total
        kind, name = _strongest(found) if found else ("column", near[max(soft, key=lambda i: (soft[i], -i))][1])
        words = tuple(asked.tokens[i].folded for i in sorted({*found, *soft}))
        results.append(TableEvidence(table.schema.name, round(share, 6), kind, name, words))
    return sorted(results, key=lambda e: (-e.coverage, e.table))


def _spelled_out(question: Question, table: TableEntry) -> list[int]:
    """Return the words of headers of several words that stand in the question whole, function words apart."""
    spoken = [i for i, token in enumerate(question.tokens) if not is_empty_word(token.folded)]
    found: list[int] = []
    for column in table.columns:
        size = len(column.stems)
        runs = [spoken[k : k + size] for k in range(len(spoken) - size + 1)] if size > 1 else []
        for run in runs:
            if all(column.stems[w].intersection(question.tokens[i].stems) for w, i in enumerate(run)):
                found += run
    return found


def _idf(df: int, n: int) -> float:
    return math.log((n + 1) / (df + 0.5)) + 1.0


def _hits(question: Question, positions: Sequence[int], table: TableEntry) -> dict[int, tuple[str, str]]:
    """Return what explains each of the words, as (kind, name); whole values before single words."""
    found: dict[int, tuple[str, str]] = {}
    tokens = question.tokens
    for first, token in enumerate(tokens):
        for length in range(min(table.cells.starts.get(token.folded, 0), len(tokens) - first), 0, -1):
            refs = table.cells.whole.get(tuple(t.folded for t in tokens[first : first + length]))
            if refs:
                for i in range(first, first + length):
                    found.setdefault(i, ("value", refs[0].value))
                break
        span, held = with_negation(question, table, first)
        for i in span:
            found.setdefault(i, ("value", held[0].value))
    whole = {i: found[i] for i in positions if i in found}
    rest = {i: hit for i in positions if i not in whole and (hit := _explained(question, i, table)) is not None}
    return whole | rest


def _explained(question: Question, i: int, table: TableEntry) -> tuple[str, str] | None:
    token = question.tokens[i]
    for stem in token.stems:
        if stem in table.by_stem:
            return "column", table.columns[table.by_stem[stem][0]].column.name
    if names_trades(token, table):
        return "table", table.schema.name
    concepts = known_concepts(token.folded)
    for concept in sorted(concepts):
        if concept in table.by_concept:
            return "column", table.columns[table.by_concept[concept][0]].column.name
    refs = table.cells.inflected([(token.folded, token.stems)])
    if refs:
        return "value", refs[0].value
    parts = table.cells.parts.get(token.folded)
    if parts and len(parts) <= 20:
        return "value", parts[0].value
    month = next((d for d in question.dates if d.first <= i <= d.last), None)
    if month is not None:
        dated = next((c for c in table.columns if c.role in ("date", "month")), None)
        return ("column", dated.column.name) if dated is not None else None
    if token.folded in ROLE_WORDS:
        dated = next((c for c in table.columns if c.role == "date"), None)
        if dated is not None:
            return "column", dated.column.name
    alike = table.named_alike(token.stems)
    if alike:
        return "value", alike[0].value
    return ("table", table.schema.name) if table.label_stems.intersection(token.stems) else None


def _strongest(found: dict[int, tuple[str, str]]) -> tuple[str, str]:
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
