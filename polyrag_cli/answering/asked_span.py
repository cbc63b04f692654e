"""Where in a quote the very thing stands that a question asks for: a number, a date, how long, a person.

Owns that choice alone: the quote is the answer, what is marked in it helps the eye.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.answering.expected import Kind, full_name_spans, lasting_spans
from polyrag_cli.text.dates import find_dates
from polyrag_cli.text.numbers import find_numbers
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import content_words, words

Span = tuple[int, int]


def asked_span(kind: Kind, question: Utterance, text: str, language: str) -> Span | None:
    """The characters of `text` that are of the kind asked for and nearest to a word of the question, of equally near
    ones the first; None where there is none, or the kind has no form of its own.

    language: of the text. What the question names itself is none: "who founded it after Ada Lovell left".
    """
    named = {word.folded for word in question.words}
    found = [span for span in _of_kind(kind, text, language) if not _all_in(text[slice(*span)], named)]
    if not found:
        return None
    beside = [(word.start, word.end) for word in content_words(text, language) if question.stems & set(word.stems)]
    return min(found, key=lambda span: (_distance(span, beside), span))


def _all_in(text: str, named: set[str]) -> bool:
    return all(word.folded in named for word in words(text))


def _of_kind(kind: Kind, text: str, language: str) -> Iterator[Span]:
    dates = [(date.start, date.end) for date in find_dates(text, language)]
    numbers = [n for n in find_numbers(text, language) if not any(a <= n.start < b for a, b in dates)]
    if kind == "count":
        yield from ((n.start, n.end) for n in numbers if not n.year_like)
    elif kind == "duration":
        yield from lasting_spans(text, language)
    elif kind == "time":
        yield from dates
        yield from ((n.start, n.end) for n in numbers if n.year_like)
    elif kind == "person":
        yield from full_name_spans(text, language)


def _distance(span: Span, others: list[Span]) -> int:
    """The least number of characters between a span and another one, 0 where they touch or there is none."""
    return min((max(0, start - span[1], span[0] - end) for start, end in others), default=0)
