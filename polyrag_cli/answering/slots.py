"""A question taken apart into what must be equal for two questions to ask the same.

Owns the parsing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from polyrag_cli.answering.slot_lookup import SlotLookup, slot_lookup
from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.routing.clauses import split
from polyrag_cli.text.dates import find_dates
from polyrag_cli.text.fold import fold, fold_word
from polyrag_cli.text.language import detect
from polyrag_cli.text.numbers import find_numbers
from polyrag_cli.text.stem import both_stems
from polyrag_cli.text.utterance import read
from polyrag_cli.text.words import Word, words

# What follows the first characters of a very long question isn't compared; such questions only match verbatim.
MAX_CHARACTERS = 600
_ROMAN = re.compile(r"^(?=[IVXL]{2,})X{0,4}L?X{0,3}(?:IX|IV|V?I{0,3})$")
# Kinds of a question as [slots.kinds] names them, the sharper ones first: what one matches is no evidence for the next.
_KINDS = (
    "duration", "frequency", "distance", "age", "count", "amount", "when", "where", "who", "why", "how", "what",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A content word: `marker` is the role that a preposition gives it; `name` whether only equality will do.

    joined: whether a conjunction that allows either order stands before it. axes: the (axis, end) pairs that it names.
    light: whether it hardly narrows a question.
    """

    text: str
    folded: str
    stems: tuple[str, ...]
    marker: str
    name: bool
    joined: bool = False
    axes: tuple[tuple[str, int], ...] = ()
    light: bool = False


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
    known = language_of(detect(text))
    lookup = slot_lookup(known)
    asked = _without_politeness(text, lookup)
    tokens = words(asked)
    spoken = [part for word in tokens for part in _expanded(word.folded, known)]
    numbers, dates, taken = _figures(asked, tokens, known)
    return Slots(
        language=known.code,
        kinds=_kinds(fold(asked), known),
        numbers=numbers,
        dates=dates,
        negated=sum(part in lookup.negators for part in spoken) % 2 == 1,
        obliged=any(part in known.slots.obligation for part in spoken),
        tense=_tense(spoken, lookup),
        axes=frozenset(end for word in tokens for end in lookup.axis_ends(word.folded)),
        hard=tuple(sorted(lookup.hard[part] for part in spoken if part in lookup.hard)),
        clauses=len(split(read(text, known.code))),
        tokens=_content(asked, tokens, taken, known),
        key=verbatim_key(question),
        exact=len(question) <= MAX_CHARACTERS,
    )


def _without_politeness(text: str, lookup: SlotLookup) -> str:
    """The text from where it stops being polite; offsets are found on a lower-case copy of equal length."""
    while True:
        lowered = "".join(c if len(c) == 1 else "?" for c in (fold_word(c) or c for c in text))
        lead, tail = lookup.lead.match(lowered), lookup.tail.search(lowered)
        if lead is not None and lead.end() > 0 and any(c.isalnum() for c in text[lead.end() :]):
            text = text[lead.end() :]
        elif tail is not None and any(c.isalnum() for c in text[: tail.start()]):
            text = text[: tail.start()]
        else:
            return text


def _expanded(folded: str, known: Language) -> list[str]:
    """The words that a folded word is a contraction of, or itself."""
    contractions = known.slots.contractions
    if folded in contractions:
        return contractions[folded].split()
    for ending, said in contractions.items():
        if len(folded) > len(ending) and folded.endswith(ending):
            return [folded.removesuffix(ending), said]
    return folded.split("'")


def _kinds(folded: str, known: Language) -> frozenset[str]:
    found: set[str] = set()
    rest = folded
    for kind in _KINDS:
        cues = known.slots.kinds[kind]
        if cues.search(rest):
            found.add(kind)
            rest = cues.without(rest)
    if not found and known.slots.yes_no.match(folded.lstrip(" ,.;:!¿¡")):
        found.add("yes/no")
    # "what" beside a sharper kind adds nothing; "how" and "what" may be relative words then.
    sharp = found - {"what", "how"}
    return frozenset(sharp or found)


def _tense(spoken: list[str], lookup: SlotLookup) -> str:
    found = {lookup.tenses[part] for part in spoken if part in lookup.tenses}
    return next((tense for tense in ("future", "past", "present") if tense in found), "")


def _figures(
    text: str, tokens: list[Word], known: Language
) -> tuple[tuple[float, ...], tuple[str, ...], list[tuple[int, int]]]:
    """Numbers (ordinals and Roman numerals too), dates (months without a year too), and the spans that they take."""
    dates = find_dates(text, known.code)
    taken = [(d.start, d.end) for d in dates]
    isos = [d.iso for d in dates]
    values: list[float] = []
    for number in find_numbers(text, known.code):
        if not _inside(number.start, taken):
            values.append(number.value + (0.001 if number.percent else 0.0))
            taken.append((number.start, number.end))
    months = slot_lookup(known).months
    for before, word in zip(["", *(word.folded for word in tokens)], tokens, strict=False):
        if _inside(word.start, taken):
            continue
        doubtful = word.folded in known.dates.ambiguous_months and before not in known.dates.month_cues
        if word.folded in known.numbers.ordinals:
            values.append(float(known.numbers.ordinals[word.folded]))
            taken.append((word.start, word.end))
        elif _ROMAN.match(word.text):
            values.append(float(_roman(word.text)))
            taken.append((word.start, word.end))
        elif word.folded in months and not doubtful:
            isos.append(f"--{months[word.folded]:02d}")
            taken.append((word.start, word.end))
    return tuple(sorted(values)), tuple(sorted(isos)), taken


def _roman(text: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[c] for c in text]
    return sum(-v if v < following else v for v, following in zip(values, [*values[1:], 0], strict=True))


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _content(text: str, tokens: list[Word], taken: list[tuple[int, int]], known: Language) -> tuple[Token, ...]:
    slots, small = known.slots, known.function_words
    markers, hard = slot_lookup(known).markers, slot_lookup(known).hard
    found: list[Token] = []
    marker, joined = "", False
    lower = any(c.islower() for c in text)
    for i, word in enumerate(tokens):
        folded = word.folded
        acronym = lower and len(word.text) > 1 and word.text.isupper()
        # The small words of names in another language ("Lagoa dos Patos") part their words as this one's would.
        connects = folded in known.names.connectors and word.text.islower()
        if (folded in markers and not acronym) or (connects and folded not in small.words):
            marker, joined = markers.get(folded, "of"), folded in slots.commutative
            continue
        if folded in slots.commutative:
            joined = True
            continue
        if _inside(word.start, taken) or folded in small.articles:
            continue
        empty = folded in small.words or folded in small.interrogatives or folded in small.requests
        if (empty and not acronym) or folded in slots.empty or folded in hard:
            if folded in small.interrogatives or folded not in slots.empty:
                marker, joined = "", False
            continue
        found.append(_token(word, i == 0, lower, marker, joined, known))
        joined = False
    return tuple(found)


def _token(word: Word, first: bool, lower: bool, marker: str, joined: bool, known: Language) -> Token:
    return Token(
        word.text,
        word.folded,
        both_stems(word.folded),
        marker,
        _name_like(word, first, lower),
        joined,
        slot_lookup(known).axis_ends(word.folded),
        word.folded in known.slots.light,
    )


def _name_like(word: Word, first: bool, lower: bool) -> bool:
    text = word.text
    if len(text) <= 2 or any(c.isdigit() or c == "_" for c in text) or any(c.isupper() for c in text[1:]):
        return True
    return lower and not first and text[0].isupper()
