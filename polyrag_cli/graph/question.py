"""Owns how a question is laid over the graph: its terms, the names in it, and what each sentence covers of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from polyrag_cli.graph.gazetteer import MAX_KEY_WORDS, nameless
from polyrag_cli.languages import UNDETERMINED, all_languages
from polyrag_cli.languages.schema import Language
from polyrag_cli.scoring.walk_graph import ranges
from polyrag_cli.text.capitals import capital_names
from polyrag_cli.text.stem import part_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, is_stopword

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.scoring.beam import WalkQuestion

Posting = tuple[npt.NDArray[np.integer], npt.NDArray[np.float32]]

# A name in lower case must be rare to count by itself: this share of the largest idf.
_RARE = 0.66
_SIMILAR = 0.6
_TITLE_WEIGHT = 0.6
# Of a question as long as a page, the start is enough.
_MAX_CHARACTERS = 4000
_MAX_TERMS = 40


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name of the graph in a question; `start`/`end` are character offsets into it."""

    entity: int
    start: int
    end: int


def anchors(arrays: GraphArrays, question: Utterance) -> list[Anchor]:
    """Return the longest names in a question, in order, none overlapping.

    A name counts with a capital in it that is evidence of one, with two words or more, or when few passages hold it.
    """
    question = question.start(_MAX_CHARACTERS)
    parts = question.parts
    return _anchors(arrays, parts, _matches(arrays, parts), question.known)


def question_on(arrays: GraphArrays, question: Utterance) -> WalkQuestion:
    """Return what each sentence of the graph covers of the question.

    Its words are looked for under the stems of its own language first, then under those of others.
    """
    from polyrag_cli.scoring.beam import WalkQuestion

    question = question.start(_MAX_CHARACTERS)
    parts = question.parts
    matches = _matches(arrays, parts)
    named = list(dict.fromkeys(a.entity for a in _anchors(arrays, parts, matches, question.known)))[:_MAX_TERMS]
    columns: list[list[Posting]] = []
    weights: list[float] = []
    for candidates in _terms(question):
        known = [arrays.terms.index[c] for c in candidates if c in arrays.terms.index]
        known = known or _nearest_term(arrays, candidates)
        if known:
            columns.append([arrays.postings.row(t) for t in known])
            weights.append(min(float(arrays.term_idf[t]) for t in known))
    for entity in named:
        columns.append([arrays.mentions.row(entity)])
        weights.append(float(arrays.entity_idf[entity]))
        if arrays.title_df[entity] > 0:
            columns.append([_titled(arrays, entity)])
            weights.append(_TITLE_WEIGHT * float(np.log1p(arrays.passages / int(arrays.title_df[entity]))))
    share = np.asarray(weights, dtype=np.float64)
    coverage, touched = _coverage(arrays.sentences, columns)
    return WalkQuestion(
        coverage=coverage,
        weights=(share / max(float(share.sum()), 1e-9)).astype(np.float32),
        anchors=np.asarray(named, dtype=np.int32),
        anchor_weights=np.asarray([float(arrays.entity_idf[e]) for e in named], dtype=np.float32),
        own_entities=np.asarray(sorted({e for _, _, e in matches}), dtype=np.int32),
        touched=touched,
    )


def trigram_codes(term: str) -> list[int]:
    """Return the distinct trigrams of a term, padded with a space at both ends, each as one number, sorted."""
    padded = f" {term} "
    triples = zip(padded, padded[1:], padded[2:], strict=False)
    return sorted({ord(a) << 42 | ord(b) << 21 | ord(c) for a, b, c in triples})


def trigrams_of(terms: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the trigrams of all terms as they occur, each as `trigram_codes` writes it, and the index of its term."""
    padded = [f" {term} " for term in terms]
    characters = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    owner = np.repeat(np.arange(len(padded), dtype=np.int64), [len(text) for text in padded])
    inside = owner[:-2] == owner[2:]
    codes = characters[:-2] << 42 | characters[1:-1] << 21 | characters[2:]
    return codes[inside], owner[:-2][inside]


def _matches(arrays: GraphArrays, parts: Sequence[Word]) -> list[tuple[int, int, int]]:
    """(first word, end word, entity) of every name in the question, whole or inside another."""
    index = arrays.entity_keys.index
    found: list[tuple[int, int, int]] = []
    norms = [word.folded for word in parts]
    for start in range(len(norms)):
        key = ""
        for end in range(start + 1, min(start + MAX_KEY_WORDS, len(norms)) + 1):
            key = f"{key} {norms[end - 1]}" if key else norms[start]
            entity = index.get(key)
            if entity is not None and not (nameless(key) and not parts[start].acronym):
                found.append((start, end, entity))
    return found


def _anchors(
    arrays: GraphArrays, parts: Sequence[Word], matches: Sequence[tuple[int, int, int]], known: Language
) -> list[Anchor]:
    taken = [False] * len(parts)
    rare = _RARE * float(np.log1p(max(1, arrays.passages)))
    marked = capital_names(parts, known)
    chosen: list[Anchor] = []
    for start, end, entity in sorted(matches, key=lambda m: (m[0] - m[1], m[0])):
        inside = parts[start:end]
        worded = sum(not is_stopword(word.folded, known.code) for word in inside)
        capital = any(marked[start:end]) and (start, end) != (0, 1)
        if any(taken[start:end]) or not (capital or worded > 1 or arrays.entity_idf[entity] > rare):
            continue
        taken[start:end] = [True] * (end - start)
        chosen.append(Anchor(entity, inside[0].start, inside[-1].end))
    return sorted(chosen, key=lambda a: a.start)


def _terms(question: Utterance) -> list[tuple[str, ...]]:
    """The question's distinct content words, each with its stems in the question's language first, then in others."""
    codes = list(dict.fromkeys((question.language, *(known.code for known in all_languages()), UNDETERMINED)))
    found: dict[tuple[str, ...], None] = {}
    for word in question.content:
        for forms in zip(*(part_stems(word.folded, code) for code in codes), strict=True):
            found[tuple(dict.fromkeys(forms))] = None
    return list(found)[:_MAX_TERMS]


def _nearest_term(arrays: GraphArrays, candidates: Sequence[str]) -> list[int]:
    """The term most like an unknown word by the Dice coefficient of their trigrams, when it is at least .6."""
    if candidates[0].isdigit() or len(candidates[0]) < 4:
        return []
    wanted = np.asarray(trigram_codes(candidates[0]), dtype=np.int64)
    if len(arrays.trigram_codes) == 0:
        return []
    at = np.minimum(np.searchsorted(arrays.trigram_codes, wanted), len(arrays.trigram_codes) - 1)
    at = at[arrays.trigram_codes[at] == wanted]
    if len(at) == 0:
        return []
    shared = np.bincount(np.concatenate([arrays.trigrams.row(int(i))[0] for i in at]))
    near = np.flatnonzero(2 * shared >= _SIMILAR * len(wanted))
    counts = shared[near]
    best: list[tuple[float, int]] = []
    for term, common in zip(near.tolist(), counts.tolist(), strict=True):
        dice = 2.0 * common / (len(wanted) + len(trigram_codes(arrays.terms[term])))
        if dice >= _SIMILAR:
            best.append((-dice, term))
    return [min(best)[1]] if best else []


def _coverage(
    sentences: int, columns: Sequence[Sequence[Posting]]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """The postings of each column as a matrix, the largest value of a sentence standing; the sentences that they hold.

    Only what the postings name is written: memory that nobody touches costs nothing, however long the corpus.
    """
    coverage = np.zeros((sentences, len(columns)), dtype=np.float32)
    held = np.zeros(sentences, dtype=bool)
    for number, postings in enumerate(columns):
        column = coverage[:, number]
        for rows, values in postings:
            column[rows] = np.maximum(column[rows], values)
            held[rows] = True
    return coverage, np.flatnonzero(held)


def _titled(arrays: GraphArrays, entity: int) -> Posting:
    """The sentences of the passages that a name titles, with its weight as a title."""
    passages, weights = arrays.title_passages.row(entity)
    sentences, which = ranges(arrays.walk.passage_sentences, passages)
    return sentences, weights[which]
