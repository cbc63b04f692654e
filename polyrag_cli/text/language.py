"""Owns the language of a text or a table, told by its function words, spelling and column names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from polyrag_cli.languages import UNDETERMINED, all_languages
from polyrag_cli.text.fold import fold

if TYPE_CHECKING:
    from polyrag_cli.languages.schema import Language
    from polyrag_cli.languages.sections.detection import Detection

Weights = Mapping[str, tuple[float, ...]]

# A question's words are known sooner than its letters; of a long text the start is enough.
_READ = 2000
_MARGIN = 0.5
# A table's words stand without a sentence around them: fewer than this, alone or ahead, tell nothing.
_LEAST_OF_A_TABLE = 1.0
_SPELLING_WEIGHT = 0.3
_LETTERS_COUNTED = 2
# Month names of this length are abbreviations, which say nothing of a language.
_ABBREVIATION = 3
# Letters beside a figure are a code's or a unit's: neither OF01 nor OF-01 has an "of".
_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_]+(?:'[^\W\d_]+)?(?![^\W_]|-\d)")
# Where one word of a column's name ends and the next one begins: receitaBruta.
_JOINED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|_")
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{4})[^\W\d_A-ZÀ-ÖØ-Þ]+(?![^\W_])")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What tells languages apart. codes: those that have a file, then "und" for any other.

    sentence, column: what each word says for each code, in a running text and as a column's name.
    spelling: finds a part of a folded word that one language alone has, as the group of its name.
    letters: by code, finds letters that it has nearly alone. outranked: by code, those that lose a tie to it.
    """

    codes: tuple[str, ...]
    sentence: Weights
    column: Weights
    spelling: re.Pattern[str]
    letters: tuple[re.Pattern[str] | None, ...]
    outranked: tuple[tuple[int, ...], ...]


@cache
def _evidence() -> _Evidence:
    known = all_languages()
    codes = (*(each.code for each in known), UNDETERMINED)
    spoken = [_sentence_words(each) for each in known]
    foreign = _unknown((each.detection.foreign for each in known), codes)
    foreign_columns = foreign | _unknown((each.detection.foreign_columns for each in known), codes)
    columns = [words | each.detection.columns for words, each in zip(spoken, known, strict=True)]
    groups = [rf"(?P<{each.code}>{parts})" for each in known if (parts := _parts(each.detection))]
    return _Evidence(
        codes,
        _weights((*spoken, foreign)),
        _weights((*columns, foreign_columns)),
        re.compile("|".join(groups) or "(?!)"),
        tuple(_any_of(each.detection.letters) for each in known),
        tuple(tuple(codes.index(code) for code in each.detection.outranks if code in codes) for each in known),
    )


def _unknown(listed: Iterable[Mapping[str, frozenset[str]]], codes: Sequence[str]) -> frozenset[str]:
    """The words of languages that have no file."""
    return frozenset().union(*(words for by_code in listed for code, words in by_code.items() if code not in codes))


def _sentence_words(known: Language) -> frozenset[str]:
    words, numbers = known.function_words, known.numbers
    months = frozenset(name for forms in known.dates.months for name in forms if len(name) > _ABBREVIATION)
    return frozenset().union(
        words.words, words.interrogatives, words.requests, known.detection.common, months, numbers.words, numbers.scales
    )


def _weights(members: Sequence[frozenset[str]]) -> Weights:
    held: dict[str, int] = {}
    for number, group in enumerate(members):
        bit = 1 << number
        for word in group:
            held[word] = held.get(word, 0) | bit
    # Thousands of words share a few rows.
    rows = {
        (bits, letters): tuple(weight * (bits >> number & 1) for number in range(len(members)))
        for bits in set(held.values())
        # A word that several languages share says little; a single letter says less.
        for letters, weight in ((True, 1.0 / bits.bit_count()), (False, 0.6 / bits.bit_count()))
    }
    return {word: rows[bits, len(word) > 1] for word, bits in held.items()}


def _parts(said: Detection) -> str:
    """A regular expression for the parts of words that a language alone has."""
    endings, beginnings, inside = (
        "|".join(sorted(map(re.escape, parts), key=lambda part: (-len(part), part)))
        for parts in (said.endings, said.beginnings, said.inside)
    )
    found = (endings and f"(?:{endings})$", beginnings and f"^(?:{beginnings})", inside and f"(?:{inside})")
    return "|".join(part for part in found if part)


def _any_of(letters: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(re.escape, letters)), re.IGNORECASE) if letters else None


def detect(text: str) -> str:
    """Return the code of the language of `text`; "und" when it has no file, is mixed or can't be told."""
    text = text[:_READ]
    known = _evidence()
    scores = _scores(text, _words(text), known.sentence)
    best = _best(scores)
    # What it shares with a language that it outranks counts for it unless a word of that one alone is there.
    outranked = known.outranked[best] if best < len(known.outranked) else ()
    runner_up = max(score for i, score in enumerate(scores) if i != best and i not in outranked)
    if scores[best] < _MARGIN or scores[best] - runner_up < min(_MARGIN, 0.25 * scores[best]):
        return UNDETERMINED
    return known.codes[best]


def _best(scores: Sequence[float]) -> int:
    """Index of the highest score; of equal ones, that of the language that outranks others, then the first."""
    outranked = _evidence().outranked
    return max(range(len(scores)), key=lambda i: (scores[i], len(outranked[i]) if i < len(outranked) else -1, -i))


def detect_table(labels: Iterable[str], cells: Iterable[str]) -> str:
    """Return the language of a table as `detect` does of a text; "und" also where its names and cells contradict.

    Each word counts once, however many cells hold it. A cell without a longer word in small letters may be a name or
    a code, and counts for nothing.

    Args:
        labels: what its columns are called; words may be joined by underscores or by capitals.
        cells: in their order; of more than 2,000 characters the start is read.
    """
    known = _evidence()
    named = _of_words(" ".join(_JOINED.sub(" ", label) for label in labels), known.column)
    told = _of_words(_phrases(cells), known.sentence)
    if UNDETERMINED in (named, told):
        return told if named == UNDETERMINED else named
    return named if named == told else UNDETERMINED


def _phrases(cells: Iterable[str]) -> str:
    """The first distinct cells that say something besides names."""
    found: dict[str, None] = {}
    size = 0
    for cell in cells:
        if cell not in found and _SMALL_WORD.search(cell):
            found[cell] = None
            size += len(cell)
            if size > _READ:
                break
    return " ".join(found)


def _of_words(text: str, weights: Weights) -> str:
    """The language of words without sentences; what two languages share tells neither."""
    text = text[:_READ]
    scores = _scores(text, dict.fromkeys(_words(text)), weights)
    best = _best(scores)
    ahead = scores[best] - max(score for i, score in enumerate(scores) if i != best)
    enough = scores[best] >= _LEAST_OF_A_TABLE and ahead >= max(_MARGIN, 0.25 * scores[best])
    return _evidence().codes[best] if enough else UNDETERMINED


def _words(text: str) -> list[str]:
    return _LETTERS.findall(fold(text))


def _scores(text: str, words: Iterable[str], weights: Weights) -> list[float]:
    """What speaks for each code, by letters of the text and by words, which are folded."""
    evidence = _evidence()
    scores = [0.0] * len(evidence.codes)
    for i, letters in enumerate(evidence.letters):
        scores[i] += 0.0 if letters is None else min(_LETTERS_COUNTED, len(letters.findall(text)))
    for word in words:
        known = weights.get(word)
        if known is not None:
            for i, weight in enumerate(known):
                scores[i] += weight
        elif len(word) > 3 and (spelled := _spelled_like(word)) >= 0:
            scores[spelled] += _SPELLING_WEIGHT
    return scores


@lru_cache(maxsize=32768)
def _spelled_like(word: str) -> int:
    """Index of the language whose spelling a folded word has, -1 for none."""
    evidence = _evidence()
    match = evidence.spelling.search(word)
    return -1 if match is None else evidence.codes.index(match.lastgroup or UNDETERMINED)
