"""Owns the confidence in a retrieved passage."""

from collections.abc import Collection
from typing import Literal

Grade = Literal["correct", "ambiguous", "incorrect"]

_SIMILARITY_WEIGHT = 0.70
_COVERAGE_WEIGHT = 0.30
_CORRECT = 0.60
_AMBIGUOUS = 0.40


def gamma(similarity: float, question_terms: Collection[str], passage_terms: Collection[str]) -> float:
    """Return 0.70·max(0, s) + 0.30·|K ∩ W| / |K|, in [0, 1], rounded to 1e-6.

    Args:
        similarity: cosine of question and passage, in [-1, 1].
        question_terms: K, counted once each; without any, the second part is 0.
        passage_terms: W.

    Source: the retrieval evaluator of Yan et al., Corrective Retrieval Augmented Generation (2024), as arithmetic.
    """
    asked = set(question_terms)
    covered = len(asked.intersection(passage_terms)) / len(asked) if asked else 0.0
    return round(_SIMILARITY_WEIGHT * max(0.0, similarity) + _COVERAGE_WEIGHT * covered, 6)


def grade(gamma: float) -> Grade:
    """Return "correct" from 0.60, "ambiguous" from 0.40, "incorrect" below."""
    if gamma >= _CORRECT:
        return "correct"
    return "ambiguous" if gamma >= _AMBIGUOUS else "incorrect"
