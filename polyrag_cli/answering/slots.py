"""A question taken apart into what must be equal for two questions to ask the same.

Owns the parsing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from polyrag_cli.answering import slot_words as lexicon
from polyrag_cli.routing.clauses import split
from polyrag_cli.text.dates import MONTHS, find_dates
from polyrag_cli.text.fold import fold, fold_word
from polyrag_cli.text.language import detect
from polyrag_cli.text.numbers import find_numbers
from polyrag_cli.text.stem import both_stems
from polyrag_cli.text.words import INTERROGATIVES, REQUEST_VERBS, Word, is_stopword, words

# What follows the first characters of a very long question isn't compared; such questions only match verbatim.
MAX_CHARACTERS = 600
_CONTRACTED = re.compile(r"^(?P<verb>\w+)n['’]t$")
_ARTICLES = frozenset(("o", "a", "os", "as", "um", "uma", "the", "an"))


@dataclass(frozen=True, slots=True)
class Token:
    """A content word: `marker` is the role that a preposition gives it; `name` whether only equality will do.

    joined: whether a conjunction that allows either order stands before it.
    """

    text: str
    folded: str
    stems: tuple[str, ...]
    marker: str
    name: bool
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Slots:
    """A question's slots; equal questions have equal ones, whatever their wording.

    kinds: what its interrogatives ask for. axes: (axis, end) of the opposites that it names. hard: function words that
    change the question, sorted. negated: parity of its negations. exact: whether it is compared in full.
    """

    language: str
    kinds: frozenset[str]
    numbers: tuple[float, ...]
    dates: tuple[str, ...]
    negated: bool
    obliged: bool
    tense: str
    axes: frozenset[tuple[str, int]]
    hard: tuple[str, ...]
    clauses: int
    tokens: tuple[Token, ...]
    key: str
    exact: bool = True

    def as_json(self) -> dict[str, Any]:
        """The slots as JSON values."""
        return {
            "language": self.language,
            "asks": sorted(self.kinds),
            "numbers": list(self.numbers),
            "dates": list(self.dates),
            "negated": self.negated,
            "obliged": self.obliged,
            "tense": self.tense,
            "axes": [f"{axis}:{end}" for axis, end in sorted(self.axes)],
            "function_words": list(self.hard),
            "clauses": self.clauses,
            "content": [token.folded for token in self.tokens],
            "names": [token.folded for token in self.tokens if token.name],
            "roles": [token.marker for token in self.tokens],
        }


def verbatim_key(question: str) -> str:
    """The form under which repeats are equal: folded words; signs that carry meaning stay."""
    return " ".join(re.findall(r"[\w'%$€£+*/<>=.,-]*\w[\w%+#]*|[%$€£+*/<>=#]", fold(question)))


@lru_cache(maxsize=4096)
def parse(question: str) -> Slots:
    """The slots of a question."""
    text = question[:MAX_CHARACTERS]
    asked = _without_politeness(text)
    folded = fold(asked)
    language = detect(text)
    tokens = words(asked)
    spoken = [part for word in tokens for part in _expanded(word)]
    plain = [part for part in spoken if part not in _ARTICLES]
    hard = sorted(lexicon.HARD_WORDS[part] for part in plain if part in lexicon.HARD_WORDS)
    numbers, dates, taken = _figures(asked, tokens, language)
    content = _content(asked, tokens, taken)
    return Slots(
        language=language,
        kinds=_kinds(folded),
        numbers=numbers,
        dates=dates,
        # "no" is a preposition in Portuguese.
        negated=sum(part in lexicon.NEGATORS or (part == "no" and language == "en") for part in spoken) % 2 == 1,
        obliged=any(part in lexicon.OBLIGATION for part in spoken),
        tense=_tense(spoken),
        axes=frozenset(end for word in tokens for end in axis_ends(word.folded)),
        hard=tuple(hard),
        clauses=len(split(text)),
        tokens=content,
        key=verbatim_key(question),
        exact=len(question) <= MAX_CHARACTERS,
    )


def _without_politeness(text: str) -> str:
    """The text from where it stops being polite; offsets are found on a lower-case copy of equal length."""
    while True:
        lowered = "".join(c if len(c) == 1 else "?" for c in (fold_word(c) or c for c in text))
        lead, tail = lexicon.POLITE_LEAD.match(lowered), lexicon.POLITE_TAIL.search(lowered)
        if lead is not None and lead.end() > 0 and any(c.isalnum() for c in text[lead.end() :]):
            text = text[lead.end() :]
        elif tail is not None and any(c.isalnum() for c in text[: tail.start()]):
            text = text[: tail.start()]
        else:
            return text


def _expanded(word: Word) -> list[str]:
    match = _CONTRACTED.match(word.folded)
    if match is not None:
        verb = {"ca": "can", "wo": "will", "sha": "shall"}.get(match["verb"], match["verb"])
        return [verb, "not"]
    return word.folded.split("'") if "'" in word.folded else [word.folded]


def _kinds(folded: str) -> frozenset[str]:
    found: set[str] = set()
    rest = folded
    for kind, pattern in lexicon.QUESTION_KINDS:
        if pattern.search(rest):
            found.add(kind)
            rest = pattern.sub(" ", rest)
    if not found and lexicon.YES_NO.match(folded.lstrip(" ,.;:!¿")):
        found.add("yes/no")
    # "what" beside a sharper kind adds nothing; "how" and "what" may be relative words then.
    sharp = found - {"what", "how"}
    return frozenset(sharp or found)


def _tense(spoken: list[str]) -> str:
    found = {lexicon.TENSES[part] for part in spoken if part in lexicon.TENSES}
    return next((tense for tense in ("future", "past", "present") if tense in found), "")


@lru_cache(maxsize=16384)
def axis_ends(folded: str) -> tuple[tuple[str, int], ...]:
    """The (axis, end) pairs that a folded word names."""
    return tuple(
        (axis, number)
        for axis, number, whole, beginnings in lexicon.AXIS_ENDS
        if folded in whole or (len(folded) > 3 and folded.startswith(beginnings))
    )


def _figures(
    text: str, tokens: list[Word], language: str
) -> tuple[tuple[float, ...], tuple[str, ...], list[tuple[int, int]]]:
    """Numbers (ordinals and Roman numerals too), dates (months without a year too), and the spans that they take."""
    dates = find_dates(text, language)
    taken = [(d.start, d.end) for d in dates]
    isos = [d.iso for d in dates]
    values: list[float] = []
    for number in find_numbers(text, language):
        if not _inside(number.start, taken):
            values.append(number.value + (0.001 if number.percent else 0.0))
            taken.append((number.start, number.end))
    for word in tokens:
        if _inside(word.start, taken):
            continue
        if word.folded in lexicon.ORDINALS:
            values.append(float(lexicon.ORDINALS[word.folded]))
            taken.append((word.start, word.end))
        elif lexicon.ROMAN.match(word.text):
            values.append(float(_roman(word.text)))
            taken.append((word.start, word.end))
        elif word.folded in MONTHS and len(word.folded) > 2 and word.folded not in ("out", "set", "may", "mar", "dec"):
            isos.append(f"--{MONTHS[word.folded]:02d}")
            taken.append((word.start, word.end))
    return tuple(sorted(values)), tuple(sorted(isos)), taken


def _roman(text: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[c] for c in text]
    return sum(-v if v < following else v for v, following in zip(values, [*values[1:], 0], strict=True))


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _content(text: str, tokens: list[Word], taken: list[tuple[int, int]]) -> tuple[Token, ...]:
    found: list[Token] = []
    marker, joined = "", False
    lower = any(c.islower() for c in text)
    for i, word in enumerate(tokens):
        folded = word.folded
        acronym = lower and len(word.text) > 1 and word.text.isupper()
        if folded in lexicon.MARKERS and not acronym:
            marker, joined = lexicon.MARKERS[folded], folded in lexicon.COMMUTATIVE
            continue
        if folded in lexicon.COMMUTATIVE:
            joined = True
            continue
        if _inside(word.start, taken):
            continue
        if folded in _ARTICLES:
            continue
        empty = is_stopword(folded) or folded in INTERROGATIVES or folded in REQUEST_VERBS
        if (empty and not acronym) or folded in lexicon.EMPTY_WORDS or folded in lexicon.HARD_WORDS:
            if folded in INTERROGATIVES or folded not in lexicon.EMPTY_WORDS:
                marker, joined = "", False
            continue
        name = _name_like(word, i == 0, lower)
        found.append(Token(word.text, folded, both_stems(folded), marker, name, joined))
        joined = False
    return tuple(found)


def _name_like(word: Word, first: bool, lower: bool) -> bool:
    text = word.text
    if len(text) <= 2 or any(c.isdigit() or c == "_" for c in text) or any(c.isupper() for c in text[1:]):
        return True
    return lower and not first and text[0].isupper()
