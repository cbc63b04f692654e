"""Owns what a sentence says the meaning of: "X is a …", "X stands for …", "Architecture Decision Record (ADR)"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.strategies.passages import word_stems
from polyrag_cli.text.fold import fold

# An acronym beside what it stands for, either in parentheses: its letters, or words with as many capitals.
_ACRONYM = re.compile(r"\((?P<behind>[^\W\d_]{2,8})\)|\b(?P<before>[^\W\d_]{2,8})\s\((?=[^)]*\s)")
# Marks of lists and of quotations.
_OPENING = re.compile(r"^[\s\-*•>\"“«„']+")


@cache
def _subject(known: Language) -> re.Pattern[str]:
    """What stands before the verb is short, also with its explanation in parentheses, or the sentence tells something
    else."""
    said = known.expected
    articles, openings = any_of(known.function_words.articles), any_of(said.defined_as)
    verb = rf"(?:{said.defines.whole}\s{openings}\s|{said.means.whole})"
    subject = r"(?P<subject>(?:[\"“«„']?[\w'-]+[\"”»“']?\s){1,5}?)"
    return re.compile(rf"^(?:{articles}\s)?{subject}(?:\([^)]{{1,80}}\)\s)?{verb}")


@lru_cache(maxsize=8192)
def defined(text: str, language: str) -> frozenset[str]:
    """The stems of what a sentence says the meaning of; none where it doesn't."""
    opening = _OPENING.match(text)
    folded = fold(text[opening.end() :] if opening else text)
    found = _subject(language_of(language)).match(folded)
    named = [found["subject"]] if found else []
    for match in _ACRONYM.finditer(text):
        short = match["behind"] or match["before"]
        if short.isupper():
            named.append(short)
    return word_stems(" ".join(named), language) if named else frozenset()


def any_of(words: frozenset[str]) -> str:
    """A regular expression for any of some words, the longest first; with none, one that nothing matches."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})" if words else "(?!)"
