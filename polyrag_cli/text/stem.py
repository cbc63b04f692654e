"""Owns stems: the form under which the inflections of a word are equal."""

import re
from functools import cache, lru_cache
from importlib import import_module
from threading import Lock
from typing import Protocol, cast

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.text.fold import fold
from polyrag_cli.text.language import detect
from polyrag_cli.text.words import content_words, is_stopword


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


# A snowball stemmer keeps its word in itself, so it serves one thread at a time.
_LOCK = Lock()


def stem(folded_word: str, code: str) -> str:
    """Return the folded snowball stem of a folded word; figures and identifiers come back unchanged.

    Args:
        folded_word: one token as `fold_word` gives it.
        code: of its language; without a stemmer in that language's file only a plain plural is stripped.

    Source: Porter, Snowball (2001), with the plurals of Orengo & Huyck, A stemming algorithm for Portuguese (2001).
    """
    return _stem(folded_word, code)


@lru_cache(maxsize=131072)
def _stem(word: str, code: str) -> str:
    if len(word) < 3 or not word[0].isascii() or (not word.isalpha() and any(c.isdigit() or c == "_" for c in word)):
        return word
    algorithm = language(code).stemming.algorithm
    if not algorithm:
        return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    word = _restored(word, code)
    with _LOCK:
        return fold(_stemmer(algorithm).stemWord(word)) or word


@lru_cache(maxsize=8)
def _stemmer(algorithm: str) -> _Stemmer:
    # The library has no type stubs. Its name was checked when the language file was read.
    return cast(_Stemmer, import_module("Stemmer").Stemmer(algorithm))


def _restored(word: str, code: str) -> str:
    """A folded word with what its stemmer needs and folding took."""
    said = language(code).stemming
    if word in said.unchanged:
        return word
    if word in said.irregular:
        return said.irregular[word]
    for pattern, ending in _restorations(code):
        restored, count = pattern.subn(ending, word)
        if count:
            return restored
    return word


@cache
def _restorations(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), ending) for pattern, ending in language(code).stemming.restored.items())


def stems(text: str, code: str | None = None) -> list[str]:
    """Return the stems of the content words of `text` in order, repeated as they occur.

    A hyphenated word gives the stems of its parts, so that `pós-venda` meets `pós venda`; identifiers stay whole.

    Args:
        code: of the text's language, as for `stem`; None detects it.
    """
    known = code if code is not None else detect(text)
    return [found for word in content_words(text, known) for found in part_stems(word.folded, known)]


@lru_cache(maxsize=131072)
def part_stems(folded: str, code: str) -> tuple[str, ...]:
    """Return the stem of a folded word under a language, of each of its parts where it is a hyphenated one."""
    return tuple(stem(part, code) for part in _parts(folded))


@lru_cache(maxsize=65536)
def aligned_stems(folded: str) -> tuple[str, ...]:
    """Return the stem of a folded word under each language, in the order of `all_languages`."""
    return tuple(stem(folded, known.code) for known in all_languages())


@lru_cache(maxsize=65536)
def all_stems(folded: str) -> tuple[str, ...]:
    """Return the distinct stems of a folded word under the stemmer of every language."""
    return tuple(dict.fromkeys(aligned_stems(folded)))


def _parts(folded: str) -> list[str]:
    if "-" not in folded or "_" in folded:
        return [folded]
    parts = [part for part in folded.split("-") if part]
    letters = [part.isalpha() for part in parts]
    if not (all(letters) or all(part.isdigit() for part in parts)):
        return [folded]
    if len(parts) == 2 and len(parts[0]) == 1 and all(letters):
        return ["".join(parts)]
    clitics = language(UNDETERMINED).stemming.clitics
    kept = [parts[0], *(part for part in parts[1:] if part not in clitics)]
    return [part for part in kept if not is_stopword(part)] or [folded]
