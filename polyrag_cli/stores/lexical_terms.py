"""Owns the terms under which the lexical index holds a chunk, and those that a question is looked up by."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from polyrag_cli.languages import all_languages
from polyrag_cli.text.stem import all_stems, part_stems, stem
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, words
from polyrag_cli.types import Chunk

# A question may be a whole page: the first terms are enough to find what it is about.
MAX_TERMS = 256
_MAX_TERM_LENGTH = 120


def index_terms(chunk: Chunk) -> tuple[list[str], int]:
    """A chunk's terms as they are indexed, and its length in words.

    A word gives its stem in the chunk's language, in every language when that is unknown or has no file; a hyphenated
    one its whole form and its parts; characters of scripts without spaces their pairs and triples too.
    """
    codes = tuple(known.code for known in all_languages())
    languages = (chunk.language,) if chunk.language in codes else (*codes, chunk.language)
    terms: list[str] = []
    length = 0
    for text in (chunk.title, chunk.heading, chunk.text):
        found = words(text)
        length += len(found)
        for word in found:
            terms.extend(_index_forms(word.folded, languages))
        for run in _unspaced_runs(found):
            terms.extend(_grams(run))
    return terms, length


@lru_cache(maxsize=131072)
def _index_forms(folded: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    forms = [stem(folded, language) for language in languages]
    if "-" in folded:
        forms += [part for language in languages for part in part_stems(folded, language)]
    return tuple(dict.fromkeys(clipped(form) for form in forms))


def query_terms(question: Utterance) -> list[tuple[str, ...]]:
    """A question's distinct terms, each with the forms under which the index may hold it; at most `MAX_TERMS`."""
    # A question longer than its first terms need is cut before it is split into words.
    question = question.start(MAX_TERMS * 64)
    found = question.words
    runs = _unspaced_runs(found)
    in_runs = {word.start for run in runs for word in run}
    chosen = question.content or found
    terms: dict[tuple[str, ...], None] = {}
    for word in chosen:
        if word.start not in in_runs:
            for forms in _forms(word):
                terms[tuple(clipped(form) for form in forms)] = None
    for run in runs:
        for gram in _grams(run):
            terms[(gram,)] = None
    return list(terms)[:MAX_TERMS]


def _forms(word: Word) -> list[tuple[str, ...]]:
    if "-" not in word.folded:
        return [all_stems(word.folded)]
    parts = zip(*(part_stems(word.folded, known.code) for known in all_languages()), strict=True)
    return [tuple(dict.fromkeys(forms)) for forms in parts]


def clipped(form: str) -> str:
    """A form as the index holds it: no longer than 120 characters."""
    return form[:_MAX_TERM_LENGTH]


def _unspaced_runs(found: Sequence[Word]) -> list[list[Word]]:
    """Neighbouring one-character words of scripts that put no spaces between words, two or more together."""
    runs: list[list[Word]] = []
    for word in found:
        if word.text.isascii() or unicodedata.category(word.text[0]) not in ("Lo", "Lm"):
            continue
        if runs and runs[-1][-1].end == word.start:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [run for run in runs if len(run) > 1]


def _grams(run: Sequence[Word]) -> Iterator[str]:
    characters = [word.folded for word in run]
    for size in (2, 3):
        for start in range(len(characters) - size + 1):
            yield "".join(characters[start : start + size])
