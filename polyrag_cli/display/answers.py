"""An answer's parts in words: where a passage stands, what is said when nothing was found, the line below it."""

from __future__ import annotations

import re

from polyrag_cli.display.decisions import decision_lines
from polyrag_cli.display.text import clip, milliseconds
from polyrag_cli.types import Answer, Hit, LinedText, RouteDecision

# Words that a passage lacks are named as far as they help.
_LACKING = 4
_WORD = 30
# Of each kind of what stands behind a source, so many are named.
_BEHIND = 2
MARK = re.compile(r"\[(\d+)\]")
"""Where an answer cites a source, by its number."""


def nothing_found(answer: Answer) -> str:
    """What is said when nothing supports an answer: what couldn't be asked, if anything, the closest heading, and what
    that passage lacks.
    """
    said = "Nothing in this corpus answers that."
    if answer.degraded:
        said = f"Not answered, as a store failed: {' '.join(answer.degraded)}"
    if answer.closest is None:
        return said
    words = ", ".join(f"“{clip(word, _WORD)}”" for word in answer.lacking[:_LACKING])
    lacks = f"; it lacks {words}" if words else ""
    return f"{said} Closest: {place(answer.closest)} ({answer.closest.score:.2f}){lacks}."


def summary(answer: Answer) -> str:
    """The decision, one line per clause, with time and trace behind the last."""
    decided = cached_line(answer, 80) if answer.cached else decided_text(answer.decision)
    return f"{decided} · {took(answer)}"


def decided_text(decision: RouteDecision) -> str:
    """Where each clause goes, one line per clause."""
    return "\n".join(decision_lines(decision))


def took(answer: Answer) -> str:
    """How long an answer took, and the beginning of its trace's id."""
    return milliseconds(answer.took_ms) + (f" · trace {answer.trace_id[:8]}" if answer.trace_id else "")


def cached_line(answer: Answer, width: int) -> str:
    """Which question a cached answer was given to, in at most `width` characters, and how near that one is."""
    return cached_words(answer.matched_question or answer.question, answer.matched_cosine, width)


def cached_words(question: str, cosine: float | None, width: int) -> str:
    """`cached_line` of the question that an answer was given to before; its cosine is None where it is the same."""
    return f"cached · asked before as “{clip(question, width)}” (cosine {1.0 if cosine is None else cosine:.2f})"


def place(hit: Hit) -> str:
    """Document and heading of a passage."""
    page = f" p. {hit.page}" if hit.page else ""
    return f"{hit.document}{page} › {hit.heading}" if hit.heading else f"{hit.document}{page}"


def behind(hit: Hit) -> str:
    """Where else a passage stands, in words: its translations, then its copies, the first of each kind named."""
    said = []
    for kind, noun in (("translation", "in {}: {}"), ("copy", "copy: {1}")):
        found = [one for one in hit.same if one.kind == kind]
        places = [noun.format(one.language, one.document) for one in found[:_BEHIND]]
        more = len(found) - len(places)
        said += [*places, *([f"{more} more"] if more else [])]
    return " · ".join(said)


def cited(answer: Answer) -> list[tuple[int, Hit]]:
    """The sources that the answer's marks [n] refer to, with their numbers."""
    numbers = sorted({int(n) for n in MARK.findall(answer.answer or "")})
    return [(n, answer.sources[n - 1]) for n in numbers if 0 < n <= len(answer.sources)]


def lines_of(hit: Hit, text: LinedText) -> str:
    """The lines of the document's source on which a passage's quotes stand, or all of it when none is quoted, counted
    from 1."""
    start, end = (hit.quotes[0][0], hit.quotes[-1][1]) if hit.quotes else (hit.start, hit.end)
    return lines_between(text, start, end)


def lines_between(text: LinedText, start: int, end: int) -> str:
    """The lines of the source on which a text's characters from `start` to `end` stand, counted from 1."""
    first, last = text.source_line(start), text.source_line(max(start, end - 1))
    return f"line {first}" if first == last else f"lines {first}–{last}"
