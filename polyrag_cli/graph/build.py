"""Owns how the graph's arrays come from stored passages.

Deterministic: the same passages give the same bits in whatever order they come. Must never do I/O or import a store, a
provider or configuration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyrag_cli.graph.arrays import Floats, GraphArrays, Ints, Matrix, Relations, Strings
from polyrag_cli.graph.gazetteer import acronym_pairs, find_ngrams, nameless
from polyrag_cli.graph.mentions import PassageGraph
from polyrag_cli.graph.question import trigrams_of
from polyrag_cli.scoring.beam import WalkGraph

NESTED = 0.5
TITLE_NESTED = 0.6
ACRONYM = 0.7
TITLE_TERM = 0.9
TITLE_BONUS = 1.15
TITLE_EDGE = 3.0
RARITY_POWER = 1.3
LINKS_PER_SENTENCE = 12
HUB_PASSAGES = 20
HUB_SHARE = 0.1

Longs = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Entries:
    """Entries of a sparse matrix, one a (row, column), by row, then column."""

    rows: Longs
    columns: Longs
    values: Doubles

    @classmethod
    def strongest(cls, rows: Longs, columns: Longs, values: Doubles, width: int) -> _Entries:
        """The largest value of each (row, column)."""
        keys = rows * max(width, 1) + columns
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, dtype=np.int64)
        best = np.maximum.reduceat(values[order], first) if len(keys) else values
        return cls(rows[order][first], columns[order][first], best)

    def where(self, kept: npt.NDArray[np.bool_]) -> _Entries:
        return _Entries(self.rows[kept], self.columns[kept], self.values[kept])

    def transposed(self) -> _Entries:
        order = np.lexsort((self.rows, self.columns))
        return _Entries(self.columns[order], self.rows[order], self.values[order])

    def matrix(self, rows: int) -> Matrix:
        return Matrix(_indptr(self.rows, rows), self.columns.astype(np.int32), self.values.astype(np.float32))


@dataclass(frozen=True, eq=False)
class _Names:
    """The gazetteer: keys sorted, their display names, and passage × entity title entries."""

    keys: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    titles: _Entries


def build_arrays(passages: Sequence[PassageGraph], generation: int) -> GraphArrays:
    """Return the arrays over `passages`, numbered by chunk id."""
    ordered = sorted(passages, key=lambda p: p.chunk.chunk_id)
    held = np.fromiter((len(p.sentences) for p in ordered), dtype=np.int64, count=len(ordered))
    owner = np.repeat(np.arange(len(ordered), dtype=np.int64), held)
    names = _gazetteer(ordered)
    mentions = _mentions(ordered, names, held)
    walk, idf = _walk_graph(ordered, names, mentions, owner, held)
    terms, term_idf, postings = _postings(ordered, owner, held)
    codes, trigrams = _trigrams(terms)
    chunks = [p.chunk for p in ordered]
    sentences = [s for p in ordered for s in p.sentences]
    return GraphArrays(
        generation=generation,
        chunk_ids=Strings.of([c.chunk_id for c in chunks]),
        documents=Strings.of([c.document for c in chunks]),
        sentence_start=np.asarray([s.start for s in sentences], dtype=np.int32),
        sentence_end=np.asarray([s.end for s in sentences], dtype=np.int32),
        entity_keys=Strings.of(names.keys),
        entity_names=Strings.of(names.names),
        entity_idf=idf.astype(np.float32),
        title_df=np.bincount(names.titles.columns, minlength=len(names.keys)).astype(np.int32),
        mentions=mentions.transposed().matrix(len(names.keys)),
        titles=names.titles.matrix(len(ordered)),
        title_passages=names.titles.transposed().matrix(len(names.keys)),
        terms=Strings.of(terms),
        term_idf=term_idf,
        postings=postings,
        trigram_codes=codes,
        trigrams=trigrams,
        relations=_relations(ordered, names),
        walk=walk,
    )


def _gazetteer(ordered: Sequence[PassageGraph]) -> _Names:
    written = Counter(
        (m.key, m.name)
        for passage in ordered
        for m in passage.mentions
        if m.kind != "initial" and not (m.kind == "name" and nameless(m.key))
    )
    written.update((title.key, title.name) for passage in ordered for title in passage.titles)
    commonest: dict[str, str] = {}
    for key, name in sorted(written, key=lambda pair: (pair[0], -written[pair], pair[1])):
        commonest.setdefault(key, name)
    keys, names = tuple(commonest), tuple(commonest.values())
    index = {key: i for i, key in enumerate(keys)}
    entries = [(p, index[t.key], t.weight) for p, passage in enumerate(ordered) for t in passage.titles]
    rows, columns, weights = zip(*entries, strict=True) if entries else ((), (), ())
    titles = _Entries.strongest(
        np.asarray(rows, dtype=np.int64),
        np.asarray(columns, dtype=np.int64),
        np.asarray(weights, dtype=np.float64),
        len(keys),
    )
    return _Names(keys, index, names, titles)


def _mentions(ordered: Sequence[PassageGraph], names: _Names, held: Longs) -> _Entries:
    """Sentence × entity: capitalised spans and titles 1, n-grams .5, n-grams of the title .6, acronyms .7."""
    first = np.cumsum(held) - held
    spans = [
        (int(first[p]) + m.sentence, names.index[m.key])
        for p, passage in enumerate(ordered)
        for m in passage.mentions
        if m.key in names.index
    ]
    said = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
    texts = [s.words for p in ordered for s in p.sentences]
    rows, columns = find_ngrams([*texts, *(p.title_words for p in ordered)], names.index)
    in_titles = int(np.searchsorted(rows, len(texts)))
    nested_passages, nested = rows[in_titles:] - len(texts), columns[in_titles:]
    rows, columns = rows[:in_titles], columns[:in_titles]
    of_passages = [
        _over_sentences(names.titles.rows, names.titles.columns, names.titles.values, held, first),
        _over_sentences(nested_passages, nested, np.full(len(nested), TITLE_NESTED), held, first),
    ]
    entries = _Entries.strongest(
        np.concatenate([said[:, 0], rows, *(e.rows for e in of_passages)]),
        np.concatenate([said[:, 1], columns, *(e.columns for e in of_passages)]),
        np.concatenate([np.ones(len(said)), np.full(len(rows), NESTED), *(e.values for e in of_passages)]),
        len(names.keys),
    )
    return _with_acronyms(entries, names)


def _over_sentences(passages: Longs, columns: Longs, values: Doubles, held: Longs, first: Longs) -> _Entries:
    counts = held[passages]
    at = np.arange(int(counts.sum()), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
    return _Entries(np.repeat(first[passages], counts) + at, np.repeat(columns, counts), np.repeat(values, counts))


def _with_acronyms(entries: _Entries, names: _Names) -> _Entries:
    pairs = acronym_pairs(names.keys)
    rows, columns, values = [entries.rows], [entries.columns], [entries.values]
    by_entity = entries.transposed()
    starts = _indptr(by_entity.rows, len(names.keys))
    for one, other in [*pairs, *((full, short) for short, full in pairs)]:
        sentences = by_entity.columns[starts[one] : starts[one + 1]]
        strong = by_entity.values[starts[one] : starts[one + 1]] >= 1.0
        rows.append(sentences[strong])
        columns.append(np.full(int(strong.sum()), other, dtype=np.int64))
        values.append(np.full(int(strong.sum()), ACRONYM))
    return _Entries.strongest(np.concatenate(rows), np.concatenate(columns), np.concatenate(values), len(names.keys))


def _walk_graph(
    ordered: Sequence[PassageGraph], names: _Names, mentions: _Entries, owner: Longs, held: Longs
) -> tuple[WalkGraph, Doubles]:
    n, entities = len(ordered), len(names.keys)
    in_passages = _Entries.strongest(owner[mentions.rows], mentions.columns, mentions.values, entities)
    df = np.bincount(in_passages.columns, minlength=entities)
    idf = np.log1p(n / np.maximum(df, 1))
    rarity = np.where(df <= max(HUB_PASSAGES, HUB_SHARE * n), (idf / np.log1p(max(n, 1))) ** RARITY_POWER, 0.0)
    links = _strongest_links(mentions, rarity)
    bearers = mentions.where(rarity[mentions.columns] > 0.0).transposed()
    titled = names.titles.rows * max(entities, 1) + names.titles.columns
    bonus = np.where(np.isin(owner[bearers.columns] * max(entities, 1) + bearers.rows, titled), TITLE_BONUS, 1.0)
    edges = in_passages.values * idf[in_passages.columns]
    titles = np.isin(in_passages.rows * max(entities, 1) + in_passages.columns, titled)
    edges = np.where(titles, TITLE_EDGE * edges, edges)
    both = _Entries(
        np.r_[in_passages.rows, n + in_passages.columns],
        np.r_[n + in_passages.columns, in_passages.rows],
        np.r_[edges, edges],
    )
    nodes = _Entries.strongest(both.rows, both.columns, both.values, n + entities).matrix(n + entities)
    link_matrix, bearer_matrix = links.matrix(len(owner)), bearers.matrix(entities)
    graph = WalkGraph(
        passage_sentences=np.r_[0, np.cumsum(held)].astype(np.int32),
        sentence_passage=owner.astype(np.int32),
        article=_articles(ordered),
        link_indptr=link_matrix.indptr,
        link_entities=link_matrix.indices,
        link_strengths=link_matrix.data,
        bearer_indptr=bearer_matrix.indptr,
        bearer_sentences=bearer_matrix.indices,
        bearer_weights=bearer_matrix.data,
        bearer_bonus=bonus.astype(np.float32),
        node_indptr=nodes.indptr,
        node_targets=nodes.indices,
        node_weights=nodes.data,
    )
    return graph, idf


def _strongest_links(mentions: _Entries, rarity: Doubles) -> _Entries:
    strengths = mentions.values * rarity[mentions.columns]
    order = np.lexsort((mentions.columns, -np.round(strengths, 6), mentions.rows))
    rows = mentions.rows[order]
    place = np.arange(len(rows)) - np.searchsorted(rows, rows, side="left")
    kept = order[(place < LINKS_PER_SENTENCE) & (strengths[order] > 0.0)]
    kept.sort()
    return _Entries(mentions.rows[kept], mentions.columns[kept], strengths[kept])


def _articles(ordered: Sequence[PassageGraph]) -> Ints:
    """Passages of one title and heading path are one article; without either, those of one document."""
    labels = [
        (p.chunk.title, p.chunk.heading) if p.chunk.title or p.chunk.heading else ("", p.chunk.document)
        for p in ordered
    ]
    numbers: dict[tuple[str, str], int] = {}
    return np.asarray([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int32)


def _postings(ordered: Sequence[PassageGraph], owner: Longs, held: Longs) -> tuple[list[str], Floats, Matrix]:
    in_sentences = {t for p in ordered for s in p.sentences for t in s.stems}
    terms = sorted(in_sentences.union(*(p.title_stems for p in ordered)))
    index = {term: i for i, term in enumerate(terms)}
    said = [(row, index[t]) for row, s in enumerate(s for p in ordered for s in p.sentences) for t in s.stems]
    titled = [(row, index[t]) for row, p in enumerate(ordered) for t in p.title_stems]
    in_text = np.asarray(said, dtype=np.int64).reshape(-1, 2)
    in_title = np.asarray(titled, dtype=np.int64).reshape(-1, 2)
    spread = _over_sentences(
        in_title[:, 0], in_title[:, 1], np.full(len(in_title), TITLE_TERM), held, np.cumsum(held) - held
    )
    entries = _Entries.strongest(
        np.concatenate([in_text[:, 0], spread.rows]),
        np.concatenate([in_text[:, 1], spread.columns]),
        np.concatenate([np.ones(len(in_text)), spread.values]),
        len(terms),
    )
    in_passages = _Entries.strongest(owner[entries.rows], entries.columns, entries.values, len(terms))
    df = np.bincount(in_passages.columns, minlength=len(terms))
    idf = np.log((len(ordered) - df + 0.5) / (df + 0.5) + 1.0).astype(np.float32)
    return terms, idf, entries.transposed().matrix(len(terms))


def _trigrams(terms: Sequence[str]) -> tuple[npt.NDArray[np.int64], Matrix]:
    found, owner = trigrams_of(terms)
    codes, rows = np.unique(found, return_inverse=True)
    entries = _Entries.strongest(rows.astype(np.int64), owner, np.ones(len(owner)), len(terms))
    return codes, entries.matrix(len(codes))


def _relations(ordered: Sequence[PassageGraph], names: _Names) -> Relations:
    found = sorted(
        (names.index[r.subject], names.index[r.object], p, r.verb)
        for p, passage in enumerate(ordered)
        for r in passage.relations
        if r.subject in names.index and r.object in names.index
    )
    numbers = np.asarray([entry[:3] for entry in found], dtype=np.int32).reshape(-1, 3)
    return Relations(
        np.ascontiguousarray(numbers[:, 0]),
        np.ascontiguousarray(numbers[:, 1]),
        np.ascontiguousarray(numbers[:, 2]),
        Strings.of([verb for *_, verb in found]),
    )


def _indptr(rows: Longs, count: int) -> Ints:
    return np.asarray(np.r_[0, np.cumsum(np.bincount(rows, minlength=count))], dtype=np.int32)
