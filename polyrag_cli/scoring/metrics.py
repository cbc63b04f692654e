"""Owns the measures of retrieval and of answers.

A measure has a canonical form of its own, so that a change of the product's folding can't move its score.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_NUMBER_WORDS = {
    word: str(value)
    for value, names in enumerate(
        (
            "zero",
            "um uma one",
            "dois duas two",
            "tres three",
            "quatro four",
            "cinco five",
            "seis six",
            "sete seven",
            "oito eight",
            "nove nine",
            "dez ten",
            "onze eleven",
            "doze twelve",
        )
    )
    for word in names.split()
}
_WORD = re.compile(r"[^\W\d_]+")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:([., ])\d{3})(?:\1\d{3})*(?!\d)")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_ZERO_DECIMALS = re.compile(r"(?<![\d.])(?P<whole>\d+)\.0+(?![\d.])")


def recall_at_k(ranks: Sequence[int | None], k: int) -> float:
    """Return the share of relevant things found among the first `k` results, in [0, 1]; 1.0 when there are none.

    Args:
        ranks: per relevant thing the rank, from 1, of the first result that shows it; None when no result does.
    """
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks) if ranks else 1.0


def reciprocal_rank(ranks: Sequence[int | None]) -> float:
    """Return 1 / rank of the first result that shows anything relevant; 0.0 when none does. `ranks` as above."""
    return max((1.0 / rank for rank in ranks if rank is not None), default=0.0)


def ndcg_at_k(ranks: Sequence[int | None], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k` results, in [0, 1]; 1.0 for nothing relevant.

    Gains are binary: a result gains 1 when it is the first to show at least one relevant thing. Things that the same
    result shows first are one gain, and each thing that no result shows is one gain missed, so that 1.0 is reached
    exactly when the results that are needed stand at the top. `ranks` as for `recall_at_k`.

    Source: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques (2002), with the discount
    1 / log2(rank + 1) of Burges et al. (2005): DCG@k = Σ gain(r) / log2(r + 1) over ranks r ≤ k, divided by its ideal.
    """
    found = {rank for rank in ranks if rank is not None}
    wanted = len(found) + sum(rank is None for rank in ranks)
    if not wanted:
        return 1.0
    ideal = math.fsum(1.0 / math.log2(rank + 1) for rank in range(1, min(wanted, k) + 1))
    return math.fsum(1.0 / math.log2(rank + 1) for rank in sorted(found) if rank <= k) / ideal


def percentile(values: Sequence[float], q: float) -> float:
    """Return the `q`-th percentile (0–100) by linear interpolation between the closest ranks.

    Raises:
        ValueError: no values, or `q` outside 0–100.
    """
    if not values or not 0.0 <= q <= 100.0:
        raise ValueError("a percentile needs at least one value and q in 0–100")
    ordered = sorted(values)
    position = (len(ordered) - 1) * q / 100.0
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def contains_fact(answer: str, fact: str) -> bool:
    """Tell whether `answer` holds `fact` as whole words and whole numbers: "2" is not in "2026" or "2.5".

    Case, accents, thousands separators, the decimal sign and number words of zero to twelve don't matter.
    An empty fact is never contained.
    """
    needle = _canonical(fact)
    if not needle:
        return False
    left = r"(?<!\w)(?<!\d\.)" if needle[0].isalnum() or needle[0] == "_" else ""
    right = r"(?!\w)(?!\.\d)" if needle[-1].isalnum() or needle[-1] == "_" else ""
    return re.search(left + re.escape(needle) + right, _canonical(answer)) is not None


def contains_marker(text: str, marker: str) -> bool:
    """Tell whether `text` contains `marker`, with white space collapsed and case and accents folded."""
    needle = _plain(marker)
    return bool(needle) and needle in _plain(text)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).casefold().split())


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    folded = _WORD.sub(lambda match: _NUMBER_WORDS.get(match[0], match[0]), _plain(text))
    grouped = _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), folded)
    # Money is written with its cents: 8,151.00 is 8,151.
    return _ZERO_DECIMALS.sub(r"\g<whole>", _DECIMAL_COMMA.sub(".", grouped))
