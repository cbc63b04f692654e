"""Owns the borders of capitalised names in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyrag_cli.languages.schema import Language
from polyrag_cli.text.capitals import capital_names, nouns_have_capitals
from polyrag_cli.text.spans import Span
from polyrag_cli.text.words import Word, empty_words

_GAP = re.compile(r"\s+|\s?[-’'&]\s?")


def name_spans(text: str, tokens: Sequence[Word], known: Language) -> list[Span]:
    """Spans of capitalised names and of identifiers with digits, in order; connectors inside a name belong to it.

    The first word counts only when it is no function word, interrogative or request verb. A text without lower-case
    letters has no names.

    Args:
        tokens: the words of the text. known: what is known of its language.
    """
    if not any(c.islower() for c in text):
        return []
    marked = capital_names(tokens, known)
    spans: list[Span] = []
    i = 0
    while i < len(tokens):
        if not _opens(tokens[i], i == 0, marked[i], known):
            i += 1
            continue
        last = _last(text, tokens, i, marked, known)
        if last > i or not (i == 0 and nouns_have_capitals(known)):
            spans.append((tokens[i].start, tokens[last].end))
        i = last + 1
    return spans


def _opens(word: Word, first: bool, marked: bool, known: Language) -> bool:
    if any(c.isdigit() for c in word.text) and any(c.isalpha() for c in word.text):
        return True
    if not (marked and word.text[0].isupper()):
        return False
    return word.folded not in empty_words(known.code) or (not first and word.acronym)


def _last(text: str, tokens: Sequence[Word], first: int, marked: Sequence[bool], known: Language) -> int:
    last = first
    while last + 1 < len(tokens):
        following = tokens[last + 1]
        if not _GAP.fullmatch(text[tokens[last].end : following.start]):
            break
        if (marked[last + 1] and following.text[0].isupper()) or following.text.isdigit():
            last += 1
            continue
        leads_on = last + 2 < len(tokens) and marked[last + 2] and tokens[last + 2].text[0].isupper()
        if following.folded in known.names.connectors and leads_on:
            last += 2
            continue
        break
    return last
