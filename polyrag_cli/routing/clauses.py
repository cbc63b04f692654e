"""Owns the cutting of a compound question into clauses that each ask something of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from polyrag_cli.text.words import INTERROGATIVES, Word, content_words, words


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MAX_CLAUSES = 8
_READ = 20_000
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»")
_BORDER = re.compile(r"[?？;؟]+")

# Words that join two questions; a run of them is one joint ("e também", "as well as", "and also").
_JOINTS = (
    ("as", "well", "as"),
    ("bem", "como"),
    ("assim", "como"),
    ("alem", "disso"),
    ("e",),
    ("and",),
    ("mas",),
    ("but",),
    ("tambem",),
    ("also",),
    ("y",),
)
_CONTINUING = frozenset({"e", "and", "ou", "or", "mas", "but", "y"})
_PREPOSITIONS = _word_set(
    """
    a ao aos as com de da do das dos desde em na no nas nos para por pra sob sobre ate entre o os at by for from
    in of on to under with about until since
    """
)
_REQUESTS = _word_set(
    """
    mostre liste diga informe explique descreva apresente exiba cite indique calcule resuma defina compare show
    list tell give explain describe display summarize summarise compute calculate define
    """
)
# These also open subordinate clauses; what follows tells which of the two they are.
_TEMPORAL = _word_set(
    """
    quando when where why onde how cuando donde
    """
)
_AUXILIARIES = _word_set(
    """
    is are was were do does did will would can could shall should must may might has have had many much long
    often far old big large tall deep soon late isn't aren't doesn't didn't
    """
)
_SUBJECTS = _word_set(
    """
    o a os as um uma ele ela eles elas eu nos voce voces alguem ninguem isso isto esse essa este esta seu sua el
    la los las se
    """
)
_ENGLISH_TEMPORAL = _word_set(
    """
    when where why how
    """
)
_INFINITIVE = re.compile(r"^\w{2,}[aei]r$")
# After these "como" and "quanto" ask nothing: "como resultado", "quanto ao prazo".
_NOT_ASKING = {
    "como": _word_set(
        """
    resultado consequencia exemplo sempre tal parte
    """
    ),
    "quanto": _word_set(
        """
    a ao aos as
    """
    ),
}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `text` is the question's characters from `start` to `end`."""

    text: str
    start: int
    end: int


def split(question: str) -> tuple[Clause, ...]:
    """The clauses of a question in order, at most eight; a question that asks once comes back whole.

    Cuts stand after a question mark or semicolon, and before a joint ("e", "and", "mas", "as well as", …) that an
    interrogative or a request follows, when the part before it asks as well. A part without content words of its own
    stays with its left neighbour, a part that only states something with the question beside it.
    """
    head = question[:_READ]
    spans: list[tuple[int, int]] = []
    quoted = [match.span() for match in _QUOTED.finditer(head)]
    for start, end in _sentences(head, quoted):
        spans.extend(_joined(head, start, end, quoted))
    merged = _merged(head, spans)[:_MAX_CLAUSES]
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


def _joined(text: str, start: int, end: int, quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of one sentence."""
    tokens = words(text[start:end])
    spans: list[tuple[int, int]] = []
    begin = start
    first = 0
    for i in range(1, len(tokens)):
        if _inside(quoted, start + tokens[i].start):
            continue
        after = _after_joint(text[start:end], tokens, i)
        if after is None or not _asks_at(tokens, after) or not _asks(tokens[first:i]):
            continue
        if not _subordinate(tokens, first, i, after) and _content(tokens[first:i]) and _content(tokens[after:]):
            spans.append((begin, start + tokens[i].start))
            begin = start + tokens[after].start
            first = after
    spans.append((begin, end))
    return spans


def _after_joint(text: str, tokens: list[Word], i: int) -> int | None:
    """Index of the word behind the joint that starts at word i; a comma before an interrogative is a joint too."""
    after = i
    found = True
    while found and after < len(tokens):
        found = False
        for joint in _JOINTS:
            if tuple(word.folded for word in tokens[after : after + len(joint)]) == joint:
                after += len(joint)
                found = True
                break
    if after > i:
        return after if after < len(tokens) else None
    comma = "," in text[tokens[i - 1].end : tokens[i].start]
    return i if comma and tokens[i].folded not in _TEMPORAL and _opens_question(tokens) else None


def _opens_question(tokens: list[Word]) -> bool:
    lead = next((word.folded for word in tokens[:3] if word.folded not in _PREPOSITIONS), "")
    return (lead in INTERROGATIVES and lead not in _TEMPORAL) or lead in _REQUESTS


def _interrogative(tokens: list[Word], at: int) -> int | None:
    """Index of the interrogative or request that opens at word `at`, behind at most two prepositions or articles."""
    for i in range(at, min(at + 3, len(tokens))):
        folded = tokens[i].folded
        if folded in INTERROGATIVES or folded in _REQUESTS:
            return i
        if folded not in _PREPOSITIONS:
            return None
    return None


def _asking(tokens: list[Word], at: int) -> tuple[int, str, str] | None:
    """That index with the word there and the one behind it, folded; "" behind the last word."""
    found = _interrogative(tokens, at)
    if found is None:
        return None
    return found, tokens[found].folded, tokens[found + 1].folded if found + 1 < len(tokens) else ""


def _asks_at(tokens: list[Word], at: int) -> bool:
    asking = _asking(tokens, at)
    if asking is None:
        return False
    found, word, following = asking
    if word == "porque" or (word == "que" and found == at):
        return False
    if word in _REQUESTS:
        return found == at and following not in {"of", "de", "do", "da", "dos", "das"}
    return following not in _NOT_ASKING.get(word, ())


def _subordinate(tokens: list[Word], first: int, joint: int, after: int) -> bool:
    """Whether the right part continues a subordinate clause of the left one instead of asking anew."""
    asking = _asking(tokens, after)
    if asking is None:
        return False
    found, word, following = asking
    if following == "to" or (word in {"quando", "onde", "como", "que", "quem"} and _INFINITIVE.match(following)):
        return True
    if word in _ENGLISH_TEMPORAL and following not in _AUXILIARIES:
        return True
    if word in {"quando", "onde", "cuando", "donde"} and following in _SUBJECTS:
        return True
    lead = _interrogative(tokens, first)
    phrase = [token.folded for token in tokens[after : found + 1]]
    inner = [token.folded for token in tokens[(first if lead is None else lead) + 1 : joint]]
    repeated = any(inner[i : i + len(phrase)] == phrase for i in range(len(inner)))
    return repeated and lead is not None and tokens[lead].folded != word


def _asks(tokens: list[Word]) -> bool:
    return any(word.folded in INTERROGATIVES or word.folded in _REQUESTS for word in tokens)


def _stands_alone(tokens: list[Word], marked: bool) -> bool:
    """Whether a part asks by a word, or by its mark alone without leaning on what stands before ("e em junho?")."""
    return _asks(tokens) or (marked and tokens[0].folded not in _CONTINUING)


def _content(tokens: list[Word]) -> bool:
    return bool(content_words(" ".join(word.text for word in tokens)))


def _merged(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that ask; each takes in the ones beside it that don't: a statement before, an empty follow-up behind."""
    merged: list[tuple[int, int]] = []
    pending: int | None = None
    for start, end in spans:
        tokens = words(text[start:end])
        if tokens and _content(tokens) and _stands_alone(tokens, _BORDER.search(text, start, end) is not None):
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
