"""Owns what a passage weighs of which a part stands in many documents, such as navigation, licences and templates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

LEAST_REPEATED = 3
"""A block that stands in fewer documents isn't repeated."""
_DECIMALS = 6


def block_weight(documents: int, holding: int) -> float:
    """The inverse document frequency of a block as a share of that of a block in one document, in [0, 1].

    ln(N / n) / ln N of a block that stands in n of N documents, 1 where n is below `LEAST_REPEATED`.

    Source: Spärck Jones, A statistical interpretation of term specificity (1972), applied to blocks.
    """
    if holding < LEAST_REPEATED or documents < 2:
        return 1.0
    return round(max(0.0, math.log(documents / holding) / math.log(documents)), _DECIMALS)


def passage_weight(blocks: Sequence[tuple[int, float]]) -> float:
    """The mean weight of a passage's words, in [0, 1]; 1 without words.

    blocks: (words, weight) of each of its blocks.
    """
    words = sum(count for count, _ in blocks)
    if not words:
        return 1.0
    return round(math.fsum(count * weight for count, weight in blocks) / words, _DECIMALS)


def weight_of(blocks: Iterable[tuple[int, int]], documents: int, spread: Mapping[int, int]) -> float:
    """The weight of a passage. blocks: (key, words) of each; spread: in how many of `documents` a repeated one is."""
    return passage_weight([(words, block_weight(documents, spread.get(key, 1))) for key, words in blocks])
