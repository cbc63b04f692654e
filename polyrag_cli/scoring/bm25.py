"""Owns Okapi BM25."""

import math
from collections.abc import Iterable, Mapping


def idf(n: int, df: float) -> float:
    """Return ln((N - n + 0.5) / (n + 0.5) + 1) for a term in `df` of `n` documents; never negative.

    df: a whole number, or a sum of degrees (each 0–1) to which documents hold the term.

    Source: Robertson & Zaragoza, The Probabilistic Relevance Framework (2009), eq. 3.3, with Lucene's + 1.
    """
    return math.log((n - df + 0.5) / (df + 0.5) + 1.0)


def term_score(tf: float, length: float, average_length: float, idf: float, k1: float = 1.5, b: float = 0.75) -> float:
    """Return one term's share of a document's score.

    Args:
        tf: occurrences of the term in the document.
        length: the document's terms; `average_length` the same over the collection (0 counts as no length norm).
        idf: the term's inverse document frequency.

    Source: Robertson & Zaragoza (2009), eq. 3.15: idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / average)).
    """
    if tf <= 0:
        return 0.0
    relative = length / average_length if average_length > 0 else 1.0
    return idf * tf * (k1 + 1.0) / (tf + k1 * (1.0 - b + b * relative))


def score(
    query_terms: Iterable[str],
    tf: Mapping[str, int],
    length: float,
    average_length: float,
    idfs: Mapping[str, float],
    k1: float = 1.5,
    b: float = 0.75,
) -> float:
    """Return the BM25 score of one document: the sum of `term_score` over the distinct query terms.

    Terms are added in sorted order, so that the float sum doesn't depend on the query's word order.
    """
    return math.fsum(
        term_score(tf[term], length, average_length, idfs[term], k1, b)
        for term in sorted(set(query_terms))
        if term in tf and term in idfs
    )
