"""Owns the measures of retrieval and of answers.

A measure has a canonical form of its own, so that a change of the product's folding can't move its score.
Must never do I/O or import anything of the package.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
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


def recall_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of `gold` among the first `k` of `ranking`, in [0, 1]; 1.0 when there is no gold."""
    wanted = set(gold)
    return len(wanted.intersection(ranking[:k])) / len(wanted) if wanted else 1.0


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """Return 1 / rank of the first gold id, ranks from 1; 0.0 when none is ranked."""
    wanted = set(gold)
    return next((1.0 / rank for rank, identifier in enumerate(ranking, start=1) if identifier in wanted), 0.0)


def ndcg_at_k(ranking: Sequence[str], gold: Mapping[str, float] | Collection[str], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k`, in [0, 1]; 1.0 when there is no gold.

    Args:
        gold: ids with their gains (>= 0), or ids alone, each of gain 1.

    Source: Järvelin & Kekäläinen, Cumulated Gain-Based Evaluation (2002): Σ gain / log2(rank + 1).
    """
    gains = gold if isinstance(gold, Mapping) else dict.fromkeys(gold, 1.0)
    ideal = sorted(gains.values(), reverse=True)[:k]
    best = math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(ideal, start=1))
    if best <= 0.0:
        return 1.0
    unique = list(dict.fromkeys(ranking))[:k]
    found = math.fsum(gains.get(identifier, 0.0) / math.log2(rank + 1) for rank, identifier in enumerate(unique, 1))
    return found / best


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


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).casefold().split())


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    folded = _WORD.sub(lambda match: _NUMBER_WORDS.get(match[0], match[0]), _plain(text))
    grouped = _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), folded)
    return _DECIMAL_COMMA.sub(".", grouped)
