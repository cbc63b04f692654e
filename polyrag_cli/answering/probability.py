"""How likely the passages found answer the question: one logistic regression.

The best of many passages looks better than the best of few, whatever is asked: the number of passages enters by its
logarithm, and a word that none of few passages holds says less than one that none of many does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.answering.asked import Asked
from polyrag_cli.answering.stretches import Stretch
from polyrag_cli.config.sections import AnswerProbabilitySettings
from polyrag_cli.languages import UNDETERMINED

# What a question in another language than the nearest passage shares with that one in words says little: half.
_COVERAGE_ACROSS = 0.5
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a question is answered, each share in [0, 1].

    coverage: the share of the question, by idf, that the best stretch holds with its headings. cosine: the largest of
    a sentence. unknown: the share of the question, by idf, that no passage of the corpus holds as it is spelt.
    size: the natural logarithm of the number of passages.
    """

    coverage: float
    cosine: float
    unknown: float
    size: float

    @property
    def terms(self) -> tuple[float, float, float, float]:
        """What the weights of coverage, cosine, unknown and size are multiplied by."""
        return self.coverage, self.cosine, self.unknown * self.size, self.size


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a logistic regression: p = 1 / (1 + exp(-z)), z the sum of the bias and each sign times its weight, `unknown`
    times the size."""

    bias: float
    coverage: float
    cosine: float
    unknown: float
    size: float

    def probability(self, signs: Signs) -> float:
        """The probability, in [0, 1] and rounded to 1e-6."""
        weights = (self.coverage, self.cosine, self.unknown, self.size)
        terms = (weight * term for weight, term in zip(weights, signs.terms, strict=True))
        return round(1.0 / (1.0 + math.exp(-math.fsum((self.bias, *terms)))), _DECIMALS)


def weights_of(settings: AnswerProbabilitySettings, dense: bool) -> Weights:
    """The weights in force; dense: whether there are cosines."""
    if dense:
        return Weights(settings.bias, settings.coverage, settings.cosine, settings.unknown, settings.size)
    return Weights(settings.words_bias, settings.words_coverage, 0.0, settings.words_unknown, settings.words_size)


def signs_of(asked: Asked, language: str, pool: Sequence[Stretch]) -> Signs:
    """The signs of a question in some language, from the stretches that could be quoted.

    Words that passages in another language can't hold are none that the corpus lacks.
    """
    size = math.log(max(1, asked.passages))
    if not pool:
        return Signs(0.0, 0.0, 1.0, size)
    nearest = max(pool, key=lambda stretch: stretch.cosine)
    if UNDETERMINED not in (language, spoken := nearest.passage.chunk.language) and spoken != language:
        return Signs(_COVERAGE_ACROSS, nearest.cosine, 0.0, size)
    unknown = math.fsum(term.weight for term in asked.terms if not term.spelt)
    best = max(pool, key=lambda stretch: stretch.score)
    return Signs(best.coverage, nearest.cosine, unknown / asked.total if asked.total else 1.0, size)
