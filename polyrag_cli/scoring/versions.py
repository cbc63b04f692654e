"""Owns how alike two documents are in what a translation leaves as it is, and which passages of them are one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_DECIMALS = 6
# Fewer marks than this say little: they have to be the same, and two, or the structure is as long as this.
_FEWEST_MARKS = 3
_TELLING_MARKS = 2
_TELLING_SIGNS = 8
# Signs of a structure that are compared: the time grows with their square.
_MOST_SIGNS = 400


def version_likeness(a: tuple[str, Sequence[int]], b: tuple[str, Sequence[int]]) -> float:
    """How alike two documents' shapes are, in [0, 1]; symmetrical.

    The share of the structure that matches, 2 · M / (signs of both), M the signs in matching runs, or that of the
    marks, the estimate of |A ∩ B| / |A ∪ B| over the smallest hashes, whichever is less. Documents of one outline may
    say different things: without three marks each, marks and structures have to be equal, and two of those or eight
    of these.

    Args:
        a, b: structure (one sign a block) and the smallest hashes of its marks, ascending.

    Source: Ratcliff & Metzener, Pattern Matching: The Gestalt Approach (1988); Broder, On the Resemblance and
        Containment of Documents (1997), bottom-k sketch.
    """
    # The matching runs depend on the order of the two.
    (structure, marks), (other, other_marks) = sorted((a, b), key=lambda shape: (shape[0], tuple(shape[1])))
    if min(len(marks), len(other_marks)) < _FEWEST_MARKS:
        telling = len(marks) >= _TELLING_MARKS or len(structure) >= _TELLING_SIGNS
        return float(telling and structure == other and tuple(marks) == tuple(other_marks))
    matching = _matching(structure[:_MOST_SIGNS], other[:_MOST_SIGNS])
    return round(min(matching, resemblance(marks, other_marks)), _DECIMALS)


def _matching(structure: str, other: str) -> float:
    if structure == other:
        return float(bool(structure))
    return SequenceMatcher(None, structure, other, autojunk=False).ratio() if structure and other else 0.0


def resemblance(a: Sequence[int], b: Sequence[int]) -> float:
    """|A ∩ B| / |A ∪ B| of two sets, in [0, 1], estimated from their smallest hashes; 0 where one is empty.

    Of sketches of different lengths the shorter one's length, or that of a set's all hashes, is what is compared.
    """
    if not a or not b:
        return 0.0
    first, second = set(a), set(b)
    smallest = sorted(first | second)[: max(len(first), len(second))]
    return sum(1 for value in smallest if value in first and value in second) / len(smallest)


def counterpart(cosines: Sequence[float], places: Sequence[float], place: float) -> int | None:
    """Which passage of a version is the same as one at `place`: the greatest cosine less the distance of the places.

    Args:
        cosines: of each passage of the version to the passage, 0 where nothing is embedded.
        places: where each passage stands in its document, 0 at its beginning and 1 at its end.

    Returns the index, the first of equals; None where there is no passage.
    """
    if not places:
        return None
    values = [round(cosine - abs(own - place), _DECIMALS) for cosine, own in zip(cosines, places, strict=True)]
    return values.index(max(values))
