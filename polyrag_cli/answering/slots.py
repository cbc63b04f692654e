"""A question taken apart into what must be equal for two questions to ask the same.

Owns the parsing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from polyrag_cli.answering.slot_lookup import SlotLookup, slot_lookup
from polyrag_cli.languages.schema import Language
from polyrag_cli.routing.clauses import split
from polyrag_cli.text.capitals import capital_names
from polyrag_cli.text.fold import fold, fold_word
from polyrag_cli.text.spans import Span
from polyrag_cli.text.utterance import Utterance, read
from polyrag_cli.text.words import Word

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
    whole = read(question[:MAX_CHARACTERS])
    known = whole.known
    lookup = slot_lookup(known)
    asked = read(_without_politeness(whole.text, lookup), whole.language)
    spoken = [part for word in asked.words for part in _expanded(word.folded, known)]
    numbers, dates, taken = _figures(asked)
    return Slots(
        language=whole.language,
        kinds=_kinds(asked.folded, known),
        numbers=numbers,
        dates=dates,
        negated=sum(part in lookup.negators for part in spoken) % 2 == 1,
        obliged=any(part in known.slots.obligation for part in spoken),
        tense=_tense(spoken, lookup),
        axes=frozenset(end for word in asked.words for end in lookup.axis_ends(word.folded)),
        hard=tuple(sorted(lookup.hard[part] for part in spoken if part in lookup.hard)),
        clauses=len(split(whole)),
        tokens=_content(asked, taken),
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


def _figures(asked: Utterance) -> tuple[tuple[float, ...], tuple[str, ...], list[Span]]:
    """Numbers (ordinals and Roman numerals too), dates (months without a year too), and the spans that they take."""
    known, months = asked.known, slot_lookup(asked.known).months
    taken = [(date.start, date.end) for date in asked.dates]
    isos = [date.iso for date in asked.dates]
    values: list[float] = []
    for number in asked.numbers:
        if not _inside(number.start, taken):
            values.append(number.value + (0.001 if number.percent else 0.0))
            taken.append((number.start, number.end))
    for before, word in zip(["", *(word.folded for word in asked.words)], asked.words, strict=False):
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


def _inside(position: int, spans: list[Span]) -> bool:
    return any(start <= position < end for start, end in spans)


def _content(asked: Utterance, taken: list[Span]) -> tuple[Token, ...]:
    known, slots, small = asked.known, asked.known.slots, asked.known.function_words
    lookup, marked = slot_lookup(known), capital_names(asked.words, known)
    found: list[Token] = []
    marker, joined = "", False
    lower = any(c.islower() for c in asked.text)
    for i, word in enumerate(asked.words):
        folded = word.folded
        # Small words in capitals may be values: "the revenue of ME", "what Yes recorded", "grade A".
        small_name = lower and i > 0 and marked[i] and len(folded) > 1 and word.text[0].isupper()
        letter = lower and i > 0 and len(folded) == 1 and folded in small.articles and word.text.isupper()
        acronym = lower and (word.acronym or small_name or letter)
        # The small words of names in another language ("Lagoa dos Patos") part their words as this one's would.
        connects = folded in known.names.connectors and word.text.islower()
        if (folded in lookup.markers and not acronym) or (connects and folded not in small.words):
            marker, joined = lookup.markers.get(folded, "of"), folded in slots.commutative
            continue
        if folded in slots.commutative:
            joined = True
            continue
        if _inside(word.start, taken) or (folded in small.articles and not acronym):
            continue
        empty = folded in small.words or folded in small.interrogatives or folded in small.requests
        if ((empty or folded in slots.empty) and not acronym) or folded in lookup.hard:
            if folded in small.interrogatives or folded not in slots.empty:
                marker, joined = "", False
            continue
        named = _name_like(word, lower and i > 0 and marked[i])
        found.append(_token(word, named, marker, joined, known))
        joined = False
    return tuple(found)


def _token(word: Word, named: bool, marker: str, joined: bool, known: Language) -> Token:
    ends, light = slot_lookup(known).axis_ends(word.folded), word.folded in known.slots.light
    return Token(word.text, word.folded, word.stems, marker, named, joined, ends, light)


def _name_like(word: Word, marked: bool) -> bool:
    """Whether only the same word will do; marked: whether its place makes its capital evidence of a name."""
    text = word.text
    if len(text) <= 2 or any(c.isdigit() or c == "_" for c in text) or any(c.isupper() for c in text[1:]):
        return True
    return marked and text[0].isupper()
