"""Owns sentence borders."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.spans import trimmed


@dataclass(frozen=True, slots=True)
class _Words:
    """What a full stop behind a word says, in every language; openers: function words that may open a sentence."""

    never_last: frozenset[str]
    last_before_capital: frozenset[str]
    before_figure: frozenset[str]
    openers: frozenset[str]
    months: frozenset[str]


@cache
def _words() -> _Words:
    known = language(UNDETERMINED)
    said = known.sentences
    months = [each.dates.months for each in all_languages() if each.sentences.ordinal_stop]
    return _Words(
        said.never_last,
        said.last_before_capital,
        said.before_figure,
        known.function_words.words - said.name_particles,
        frozenset(name for names in months for forms in names for name in forms),
    )


LIST_ITEM = r"(?:[-*+•‣–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s"
"""Pattern of the mark that an item of a list begins with."""

_CLOSERS = "\"'”’»)\\]}』」*_"
_CANDIDATE = re.compile(
    r"(?P<blank>\r?\n[^\S\n]*\r?\n)"
    # A list item, a heading or a table row starts on its line.
    rf"|(?P<block>\r?\n(?=[^\S\n]*(?:{LIST_ITEM}|#{{1,6}}\s|\|)))"
    rf"|(?P<full>[。！？｡।॥؟۔]+[{_CLOSERS}]*)"
    rf"|(?P<mark>[.!?…]+(?P<closers>[{_CLOSERS}]*)(?=\s|$))"
)
_BLOCK_LINE = re.compile(r"^[^\S\n]*(?:#{1,6}\s|\|)[^\n]*(?:\n|$)", re.MULTILINE)
_LIST_MARKER = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z])\.$")
_LAST_WORD = re.compile(r"(?:[^\W_]+\.)*[^\W_]+$")
_NEXT = re.compile(r"\s*[\"'“‘«(\[{¿¡*_]*(?P<next>\w+|\S)")
# How far back a word that ends a sentence is looked for.
_REACH = 40
# A passage is asked for its sentences by one caller after another; longer texts are asked once.
_REMEMBERED_CHARACTERS = 4096


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) code-point spans of the sentences of `text`, in order, trimmed of white space.

    Every character that isn't white space is in exactly one span. Abbreviations, initials and decimals end nothing;
    blank lines, list items, headings, table rows and the full stops of other scripts do; a single newline doesn't.
    """
    return list(_remembered_sentences(text) if len(text) <= _REMEMBERED_CHARACTERS else _sentences(text))


def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    start = 0
    for border in _borders(text):
        if border > start:
            _add(spans, text, start, border)
            start = border
    _add(spans, text, start, len(text))
    return tuple(spans)


# As many as the passages of the documents that are being prepared.
_remembered_sentences = lru_cache(maxsize=512)(_sentences)


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    start, end = trimmed(text, start, end)
    if start < end:
        spans.append((start, end))


def _borders(text: str) -> list[int]:
    borders = [line.end() for line in _BLOCK_LINE.finditer(text)]
    for match in _CANDIDATE.finditer(text):
        if match["mark"] is None or _ends(text, match):
            borders.append(match.end())
    return sorted(borders)


def _ends(text: str, mark: re.Match[str]) -> bool:
    following = _NEXT.match(text, mark.end())
    if following is None:
        return True
    after = following["next"]
    initial_next = text.startswith(".", following.end())
    stops = mark["mark"].rstrip(_CLOSERS.replace("\\", ""))
    if stops[-1] in "!?":
        return not (mark["closers"] and after[0].islower())
    if len(stops) > 1 or stops == "…":
        return not after[0].islower()
    line_start = text.rfind("\n", max(0, mark.start() - _REACH), mark.start()) + 1
    if (line_start or mark.start() < _REACH) and _LIST_MARKER.match(text[line_start : mark.start() + 1]):
        return _LIST_MARKER.fullmatch(text[line_start : mark.start() + 1]) is None
    last = _LAST_WORD.search(text, max(0, mark.start() - _REACH), mark.start())
    return last is None or _word_ends(last[0], after, initial_next)


def _word_ends(last: str, after: str, initial_next: bool) -> bool:
    """Tell whether a full stop behind the word `last` ends a sentence before the word `after`."""
    word, known = fold_word(last), _words()
    if word in known.never_last:
        return False
    if word in known.last_before_capital:
        return after[0].isupper()
    if word.isdecimal() and len(word) <= 2 and fold_word(after) in known.months:
        # "3. Oktober"
        return False
    before_figure = after[0].isdigit() or after[0] == "§" or after[0].islower() or _is_roman(after)
    if word in known.before_figure and before_figure:
        return False
    if "." in word or (len(word) == 1 and word.isalpha()):
        if last[0].isupper() and all(len(part) == 1 for part in word.split(".")):
            # "J. K." and "U.S. Army" go on; "in the U.S. The" doesn't.
            return not initial_next and after[0].isupper() and fold_word(after) in known.openers
        # "c. 1450", "b. 1829"
        return not (after[0].islower() or after[0].isdigit())
    return not (after[0].islower() and len(word) < 4)


def _is_roman(word: str) -> bool:
    return len(word) <= 5 and all(c in "IVXLC" for c in word)
