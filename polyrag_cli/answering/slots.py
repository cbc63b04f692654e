"""A question taken apart into what must be equal for two questions to ask the same.

Owns the parsing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from polyrag_cli.answering.slot_content import Token, content
from polyrag_cli.answering.slot_figures import figures
from polyrag_cli.answering.slot_lookup import SlotLookup, slot_lookup
from polyrag_cli.languages.schema import Language
from polyrag_cli.routing.clauses import split
from polyrag_cli.text.fold import fold, fold_word
from polyrag_cli.text.utterance import read

# What follows the first characters of a very long question isn't compared; such questions only match verbatim.
MAX_CHARACTERS = 600
# Kinds of a question as [slots.kinds] names them, the sharper ones first: what one matches is no evidence for the next.
_KINDS = (
    "duration", "frequency", "distance", "age", "count", "amount", "when", "where", "place", "who", "why", "how",
    "what",
)  # fmt: skip
# A word as short ends by chance like a verb of the past.
_SHORT = 4
# Currencies and comparisons, and what makes another name of a letter ("C#").
_SIGNS = re.compile(r"(?<=\w)(?:\+\+|#)|[$€£¥<>=≥≤±]|(?<=\d)\s?[+*/×÷-]\s?(?=\d)")


@dataclass(frozen=True, slots=True)
class Slots:
    """A question's slots; equal questions have equal ones, whatever their wording.

    kinds: what its interrogatives ask for. axes: (axis, end) of the opposites that it names. hard: function words that
    change the question, sorted. negated: parity of its negations. universal: whether it speaks of all of something.
    signs: currencies, comparisons and signs that are part of a name, sorted. exact: whether it is compared in full.
    """

    language: str
    kinds: frozenset[str]
    numbers: tuple[float, ...]
    dates: tuple[str, ...]
    negated: bool
    obliged: bool
    possible: bool
    tense: str
    axes: frozenset[tuple[str, int]]
    hard: tuple[str, ...]
    clauses: int
    tokens: tuple[Token, ...]
    key: str
    universal: bool = False
    signs: tuple[str, ...] = ()
    exact: bool = True

    def as_json(self) -> dict[str, Any]:
        """The slots as JSON values."""
        return {
            "language": self.language,
            "asks": sorted(self.kinds),
            "numbers": list(self.numbers),
            "dates": list(self.dates),
            "negated": self.negated,
            "all": self.universal,
            "signs": list(self.signs),
            "obliged": self.obliged,
            "possible": self.possible,
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


@lru_cache(maxsize=8192)
def parse(question: str, values: frozenset[str] = frozenset()) -> Slots:
    """The slots of a question.

    values: those of its folded words that are a value or a name somewhere in the corpus, whatever they mean elsewhere.
    """
    whole = read(question[:MAX_CHARACTERS])
    known = whole.known
    lookup = slot_lookup(known)
    asked = read(_without_politeness(whole.text, lookup), whole.language)
    spoken = [part for word in asked.words for part in _expanded(word.folded, known)]
    kinds, found = _kinds(asked.folded, known), figures(asked)
    counted = content(asked, found, values, "yes/no" in kinds)
    return Slots(
        language=whole.language,
        kinds=kinds,
        numbers=tuple(sorted(f.value + (0.001 if f.percent else 0.0) for f in found if f.value is not None)),
        dates=tuple(sorted(f.iso for f in found if f.value is None)),
        negated=sum(part in lookup.negators for part in spoken) % 2 == 1,
        obliged=any(part in known.slots.obligation for part in spoken),
        possible=known.slots.possibility.search(asked.folded) is not None,
        tense=_tense(spoken, known),
        axes=frozenset(end for token in counted.tokens for end in token.axes),
        hard=counted.hard,
        clauses=len(split(whole)),
        tokens=counted.tokens,
        key=verbatim_key(question),
        universal=counted.universal,
        signs=tuple(sorted(sign.strip() for sign in _SIGNS.findall(question[:MAX_CHARACTERS]))),
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
    opening = folded.lstrip(" ,.;:!¿¡")
    if not found and known.slots.yes_no.match(opening) and not known.slots.existential.match(opening):
        found.add("yes/no")
    # "what" beside a sharper kind adds nothing; "how" and "what" may be relative words then.
    sharp = found - {"what", "how"}
    return frozenset(sharp or found)


def _tense(spoken: list[str], known: Language) -> str:
    """The time that the verbs speak of; where no auxiliary says it, "past" by a verb's ending."""
    tenses = slot_lookup(known).tenses
    found = {tenses[part] for part in spoken if part in tenses}
    if not found and any(part.endswith(tuple(known.slots.past_endings)) for part in spoken if len(part) > _SHORT):
        return "past"
    return next((tense for tense in ("future", "past", "present") if tense in found), "")
