"""Numbers and dates of a question in the form under which equal ones are equal.

Owns ordinals, Roman numerals and months without a year, which are figures only where two questions are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from polyrag_cli.answering.slot_lookup import slot_lookup
from polyrag_cli.text.spans import Span
from polyrag_cli.text.utterance import Utterance

_ROMAN = re.compile(r"^(?=[IVXL]{2,})X{0,4}L?X{0,3}(?:IX|IV|V?I{0,3})$")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or date: its place, and either its value (percents apart from plain numbers) or its ISO form."""

    span: Span
    value: float | None = None
    iso: str = ""
    percent: bool = False

    @property
    def key(self) -> str:
        """The form under which equal figures are equal."""
        return self.iso if self.value is None else f"{self.value:.12g}{'%' if self.percent else ''}"


def figures(asked: Utterance) -> tuple[Figure, ...]:
    """The numbers and dates of a question in order of place, without overlaps.

    An ordinal that names an end ("first" against "last") is compared as that, so that "earliest" may stand for it.
    """
    known, lookup = asked.known, slot_lookup(asked.known)
    found = [Figure((date.start, date.end), iso=date.iso) for date in asked.dates]
    for number in asked.numbers:
        if not _inside(number.start, found):
            found.append(Figure((number.start, number.end), value=number.value, percent=number.percent))
    before = ""
    for word in asked.words:
        cued, before = before in known.dates.month_cues, word.folded
        if _inside(word.start, found):
            continue
        span, month = (word.start, word.end), lookup.months.get(word.folded)
        if word.folded in known.numbers.ordinals and not lookup.axis_ends(word.folded):
            found.append(Figure(span, value=float(known.numbers.ordinals[word.folded])))
        elif _ROMAN.match(word.text):
            found.append(Figure(span, value=float(_roman(word.text))))
        elif month is not None and (cued or word.folded not in known.dates.ambiguous_months):
            found.append(Figure(span, iso=f"--{month:02d}"))
    return tuple(sorted(found, key=lambda figure: figure.span))


def _roman(text: str) -> int:
    values = [_ROMAN_DIGITS[c] for c in text]
    return sum(-v if v < following else v for v, following in zip(values, [*values[1:], 0], strict=True))


def _inside(position: int, found: list[Figure]) -> bool:
    return any(figure.span[0] <= position < figure.span[1] for figure in found)
