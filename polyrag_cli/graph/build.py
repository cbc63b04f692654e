"""Owns how the graph's arrays come from stored passages.

Deterministic: the same passages give the same bits in whatever order they come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyrag_cli.graph.arrays import Floats, GraphArrays, Ints, Matrix, Relations, Strings
from polyrag_cli.graph.columns import Columns, numbers, ranks
from polyrag_cli.graph.gazetteer import acronym_pairs, find_ngrams
from polyrag_cli.graph.question import trigrams_of
from polyrag_cli.scoring.walk_graph import WalkGraph

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
# Passages whose words are sorted together: all at once would take ten times the memory of the result.
BLOCK_PASSAGES = 2_000

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
        return cls(*np.divmod(keys[first], max(width, 1)), best)

    def where(self, kept: npt.NDArray[np.bool_]) -> _Entries:
        return _Entries(self.rows[kept], self.columns[kept], self.values[kept])

    def transposed(self) -> _Entries:
        order = np.lexsort((self.rows, self.columns))
        return _Entries(self.columns[order], self.rows[order], self.values[order])

    def matrix(self, rows: int) -> Matrix:
        return Matrix(_indptr(self.rows, rows), self.columns.astype(np.int32), self.values.astype(np.float32))


@dataclass(frozen=True, eq=False)
class _Names:
    """The gazetteer: keys sorted, their display names, and passage × entity title entries.

    of_key: the place of each of the columns' keys among `keys`, -1 for one that names nothing.
    """

    keys: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    of_key: Longs
    titles: _Entries


def arrays_of(columns: Columns, generation: int) -> GraphArrays:
    """Return the arrays over passages that were added to `columns` by chunk id."""
    held = numbers(columns.held).astype(np.int64)
    owner = np.repeat(np.arange(len(held), dtype=np.int64), held)
    names = _gazetteer(columns)
    mentions = _mentions(columns, names, held)
    walk, idf = _walk_graph(numbers(columns.article), names, mentions, owner, held)
    terms, term_idf, postings = _postings(columns, owner, held)
    codes, trigrams = _trigrams(terms)
    return GraphArrays(
        generation=generation,
        chunk_ids=Strings.of(columns.chunk_ids),
        documents=Strings.of(columns.documents),
        sentence_start=numbers(columns.starts),
        sentence_end=numbers(columns.ends),
        entity_keys=Strings.of(names.keys),
        entity_names=Strings.of(names.names),
        entity_idf=idf.astype(np.float32),
        title_df=np.bincount(names.titles.columns, minlength=len(names.keys)).astype(np.int32),
        mentions=mentions.transposed().matrix(len(names.keys)),
        titles=names.titles.matrix(len(held)),
        title_passages=names.titles.transposed().matrix(len(names.keys)),
        terms=Strings.of(terms),
        term_idf=term_idf,
        postings=postings,
        trigram_codes=codes,
        trigrams=trigrams,
        relations=_relations(columns, names),
        walk=walk,
    )


def _gazetteer(columns: Columns) -> _Names:
    written = columns.spelled
    commonest: dict[str, str] = {}
    keys_of = list(columns.keys)
    titled = {keys_of[number] for number in columns.title_key}
    named = Counter[str]()
    for (key, _), count in written.items():
        named[key] += count
    for key, name in sorted(written, key=lambda pair: (pair[0], -written[pair], pair[1])):
        # What titles a passage is a name. Where nouns have capitals, most of a word's uses say whether it is one.
        if key in titled or named[key] > columns.nouns[key]:
            commonest.setdefault(key, name)
    keys = tuple(commonest)
    of_key = ranks(columns.keys, keys)
    titles = _Entries.strongest(
        numbers(columns.title_passage).astype(np.int64),
        of_key[numbers(columns.title_key)],
        np.asarray(columns.title_weight, dtype=np.float64),
        len(keys),
    )
    return _Names(keys, {key: i for i, key in enumerate(keys)}, tuple(commonest.values()), of_key, titles)


def _mentions(columns: Columns, names: _Names, held: Longs) -> _Entries:
    """Sentence × entity: capitalised spans and titles 1, n-grams .5, n-grams of the title .6, acronyms .7."""
    first = np.cumsum(held) - held
    said = names.of_key[numbers(columns.mention_key)]
    sentences = numbers(columns.mention_sentence).astype(np.int64)[said >= 0]
    said = said[said >= 0]
    words, titles = columns.words, columns.title_words
    rows, nested = find_ngrams(words.flat, words.lengths, words.vocabulary, names.index)
    nested_passages, in_titles = find_ngrams(titles.flat, titles.lengths, titles.vocabulary, names.index)
    of_passages = [
        _over_sentences(names.titles.rows, names.titles.columns, names.titles.values, held, first),
        _over_sentences(nested_passages, in_titles, np.full(len(in_titles), TITLE_NESTED), held, first),
    ]
    entries = _Entries.strongest(
        np.concatenate([sentences, rows, *(e.rows for e in of_passages)]),
        np.concatenate([said, nested, *(e.columns for e in of_passages)]),
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
    article: Ints, names: _Names, mentions: _Entries, owner: Longs, held: Longs
) -> tuple[WalkGraph, Doubles]:
    n, entities = len(held), len(names.keys)
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
        article=article,
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


def _postings(columns: Columns, owner: Longs, held: Longs) -> tuple[list[str], Floats, Matrix]:
    terms = sorted(columns.stems.vocabulary)
    df = np.zeros(len(terms), dtype=np.int64)
    rows, stems, values = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.float32)]
    for entries, first in _said(columns, ranks(columns.stems.vocabulary, terms), held):
        in_passages = _Entries.strongest(owner[entries.rows + first], entries.columns, entries.values, len(terms))
        df += np.bincount(in_passages.columns, minlength=len(terms))
        rows.append((entries.rows + first).astype(np.int32))
        stems.append(entries.columns.astype(np.int32))
        values.append(entries.values.astype(np.float32))
    row, stem, value = np.concatenate(rows), np.concatenate(stems), np.concatenate(values)
    order = np.lexsort((row, stem))
    idf = np.log((len(held) - df + 0.5) / (df + 0.5) + 1.0).astype(np.float32)
    return terms, idf, Matrix(_indptr(stem, len(terms)), row[order], value[order])


def _said(columns: Columns, of_stem: Longs, held: Longs) -> Iterator[tuple[_Entries, int]]:
    """Sentence × term: in the sentence 1, in its title .9, for some passages at a time, and their first sentence."""
    ends, said, titled = _ends(held), columns.stems, columns.title_stems
    said_ends, titled_ends = _ends(said.lengths), _ends(titled.lengths)
    for first in range(0, len(held), BLOCK_PASSAGES):
        last = min(first + BLOCK_PASSAGES, len(held))
        start, end = int(ends[first]), int(ends[last])
        own = held[first:last]
        in_text = of_stem[said.flat[said_ends[start] : said_ends[end]]]
        in_title = of_stem[titled.flat[titled_ends[first] : titled_ends[last]]]
        passages = np.repeat(np.arange(last - first, dtype=np.int64), titled.lengths[first:last])
        weights = np.full(len(in_title), TITLE_TERM)
        spread = _over_sentences(passages, in_title, weights, own, np.cumsum(own) - own)
        sentences = np.repeat(np.arange(end - start, dtype=np.int64), said.lengths[start:end])
        entries = _Entries.strongest(
            np.concatenate([sentences, spread.rows]),
            np.concatenate([in_text, spread.columns]),
            np.concatenate([np.ones(len(in_text)), spread.values]),
            len(of_stem),
        )
        yield entries, start


def _ends(lengths: Longs | Ints) -> Longs:
    """Where each list begins among all of them, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def _trigrams(terms: Sequence[str]) -> tuple[npt.NDArray[np.int64], Matrix]:
    found, owner = trigrams_of(terms)
    codes, rows = np.unique(found, return_inverse=True)
    entries = _Entries.strongest(rows.astype(np.int64), owner, np.ones(len(owner)), len(terms))
    return codes, entries.matrix(len(codes))


def _relations(columns: Columns, names: _Names) -> Relations:
    subject = names.of_key[numbers(columns.relation_subject)]
    other = names.of_key[numbers(columns.relation_object)]
    passage, verb = numbers(columns.relation_passage), numbers(columns.relation_verb)
    verbs = list(columns.verbs)
    place = ranks(columns.verbs, sorted(verbs))[verb]
    order = np.lexsort((place, passage, other, subject))
    order = order[(subject[order] >= 0) & (other[order] >= 0)]
    return Relations(
        subject[order].astype(np.int32),
        other[order].astype(np.int32),
        passage[order],
        Strings.of([verbs[number] for number in verb[order].tolist()]),
    )


def _indptr(rows: Longs | Ints, count: int) -> Ints:
    return np.asarray(np.r_[0, np.cumsum(np.bincount(rows, minlength=count))], dtype=np.int32)
