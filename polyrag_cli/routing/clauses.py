"""Owns the cutting of a compound question into clauses that each ask something of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from polyrag_cli.languages.schema import Language
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, asked_content_of

_MAX_CLAUSES = 8
_READ = 20_000
# No phrase that decides about a cut is longer.
_PHRASE_WORDS = 5
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»")
_BORDER = re.compile(r"[?？;؟]+")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `text` is the question's characters from `start` to `end`."""

    text: str
    start: int
    end: int


def split(asked: Utterance) -> tuple[Clause, ...]:
    """The clauses of a question in order, at most eight; a question that asks once comes back whole.

    Cuts stand after a question mark or semicolon, and before a joint ("and", "as well as") that an
    interrogative or a request follows, when the part before it asks as well. A part without content words of its own
    stays with its left neighbour, a part that only states something with the question beside it.
    """
    question, read = asked.text, asked.start(_READ)
    head = read.text
    spans: list[tuple[int, int]] = []
    quoted = [match.span() for match in _QUOTED.finditer(head)]
    for start, end in _sentences(head, quoted):
        spans.extend(_joined(read, start, end, quoted))
    merged = _merged(read, spans)[:_MAX_CLAUSES]
    if len(merged) < 2:
        return (_clause(question, 0, len(question)),)
    merged[-1] = (merged[-1][0], len(question))
    return tuple(_clause(question, start, end) for start, end in merged)


def _inside(spans: list[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in spans)


def _sentences(text: str, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for border in _BORDER.finditer(text):
        if _inside(quoted, border.start()):
            continue
        spans.append((start, border.end()))
        start = border.end()
        if len(spans) > 4 * _MAX_CLAUSES:
            break
    spans.append((start, len(text)))
    return spans


def _between(asked: Utterance, start: int, end: int) -> list[Word]:
    return [word for word in asked.words if start <= word.start and word.end <= end]


def _joined(asked: Utterance, start: int, end: int, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of one sentence."""
    known, tokens = asked.known, _between(asked, start, end)
    spans: list[tuple[int, int]] = []
    begin = start
    first = 0
    for i in range(1, len(tokens)):
        if _inside(quoted, tokens[i].start):
            continue
        after = _after_joint(asked.text, tokens, i, known)
        asking = None if after is None else _interrogative(tokens, after, known)
        if after is None or asking is None or not _asks(tokens[first:i], known):
            continue
        if not _asks_at(tokens, after, asking, known) or _subordinate(tokens, first, i, after, asking, known):
            continue
        if asked_content_of(tokens[first:i], known.code) and asked_content_of(tokens[after:], known.code):
            spans.append((begin, tokens[i].start))
            begin = tokens[after].start
            first = after
    spans.append((begin, end))
    return spans


def _after_joint(text: str, tokens: list[Word], i: int, known: Language) -> int | None:
    """Index behind the joint that starts at word i; a comma before an interrogative is a joint too."""
    after = i
    found = True
    while found:
        found = False
        for joint in known.clauses.joints:
            if tuple(word.folded for word in tokens[after : after + len(joint)]) == joint:
                after += len(joint)
                found = True
                break
    if after > i:
        return after
    comma = "," in text[tokens[i - 1].end : tokens[i].start]
    return i if comma and _may_follow_comma(tokens[i], known) and _opens_question(tokens, known) else None


def _may_follow_comma(word: Word, known: Language) -> bool:
    return word.folded not in known.clauses.behind_comma or _always_asks(word, known)


def _always_asks(word: Word, known: Language) -> bool:
    return word.text.lower() in known.clauses.always_asking


def _opens_question(tokens: list[Word], known: Language) -> bool:
    lead = next((word for word in tokens[:3] if word.folded not in known.clauses.leading), None)
    if lead is None:
        return False
    return _is_asking(lead, known) and _may_follow_comma(lead, known)


def _interrogative(tokens: list[Word], at: int, known: Language) -> int | None:
    """Index of the interrogative or request that opens at word `at`, behind at most two leading words."""
    for i in range(at, min(at + 3, len(tokens))):
        if _is_asking(tokens[i], known):
            return i
        if tokens[i].folded not in known.clauses.leading:
            return None
    return None


def _is_asking(word: Word, known: Language) -> bool:
    asking = known.function_words.interrogatives | known.clauses.imperatives
    return word.folded in asking or _always_asks(word, known)


def _asks_at(tokens: list[Word], at: int, found: int, known: Language) -> bool:
    """Whether what opens at word `at` asks by its interrogative or request, which is word `found`."""
    if tokens[found].folded in known.clauses.imperatives:
        return found == at and _following(tokens, found) not in known.function_words.of
    return _always_asks(tokens[found], known) or known.clauses.not_asking.match(_phrase(tokens, at)) is None


def _following(tokens: list[Word], at: int) -> str:
    """The folded word behind word `at`, "" behind the last."""
    return tokens[at + 1].folded if at + 1 < len(tokens) else ""


def _phrase(tokens: list[Word], at: int) -> str:
    """The folded words from word `at` on, as far as a phrase may reach."""
    return " ".join(word.folded for word in tokens[at : at + _PHRASE_WORDS])


def _subordinate(tokens: list[Word], first: int, joint: int, after: int, found: int, known: Language) -> bool:
    """Whether the right part continues a subordinate clause of the left one instead of asking anew.

    found: the interrogative of the right part, which opens at word `after`.
    """
    if known.clauses.subordinate.match(_phrase(tokens, found)):
        return True
    lead = _interrogative(tokens, first, known)
    if lead is None:
        return False
    phrase = [token.folded for token in tokens[after : found + 1]]
    inner = [token.folded for token in tokens[lead + 1 : joint]]
    repeated = any(inner[i : i + len(phrase)] == phrase for i in range(len(inner)))
    return repeated and tokens[lead].folded != tokens[found].folded


def _asks(tokens: list[Word], known: Language) -> bool:
    return any(_is_asking(word, known) for word in tokens)


def _stands_alone(tokens: list[Word], marked: bool, known: Language) -> bool:
    """Whether a part asks by a word, or by its mark alone without leaning on what stands before ("e em junho?")."""
    return _asks(tokens, known) or (marked and tokens[0].folded not in known.clauses.continuing)


def _merged(asked: Utterance, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that ask; each takes in the ones beside it that don't: a statement before, an empty follow-up behind."""
    merged: list[tuple[int, int]] = []
    pending: int | None = None
    for start, end in spans:
        tokens, known = _between(asked, start, end), asked.known
        marked = _BORDER.search(asked.text, start, end) is not None
        if asked_content_of(tokens, known.code) and _stands_alone(tokens, marked, known):
            merged.append((start if pending is None else pending, end))
            pending = None
        elif merged:
            merged[-1] = (merged[-1][0], end)
        elif pending is None:
            pending = start
    return merged


def _clause(question: str, start: int, end: int) -> Clause:
    raw = question[start:end]
    left = len(raw) - len(raw.lstrip(" \t\r\n,"))
    stripped = raw.strip(" \t\r\n,")
    return Clause(stripped, start + left, start + left + len(stripped))
