"""Owns stems: the form under which the inflections of a word are equal."""

import re
from functools import lru_cache
from importlib import import_module
from threading import Lock
from typing import Protocol, cast

from polyrag_cli.text.fold import fold
from polyrag_cli.text.language import detect
from polyrag_cli.text.words import content_words, is_stopword


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


_SNOWBALL = {"pt": "portuguese", "en": "english", "es": "spanish"}
# A snowball stemmer keeps its word in itself, so it serves one thread at a time.
_LOCK = Lock()

# Portuguese endings whose accent the algorithm needs; a folded word has lost it.
_PT_ENDINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), ending)
    for pattern, ending in (
        (r"c(?:oes|aes|ao)$", "ção"),
        (r"(?<=.)(?:oes|aes|aos|ao)$", "ão"),
        (r"(?<=..)a(?:vel|veis)$", "ável"),
        (r"(?<=..)i(?:vel|veis)$", "ível"),
        (r"ancias?$", "ância"),
        (r"encias?$", "ência"),
        (r"(?<=..a)is$|(?<=[^aeiou]u)is$", "l"),
        (r"(?<=[^q]o)is$", "l"),
        (r"(?<=..)(?:eis|el)$", "il"),
        (r"(?<=[aeiou])ns$", "m"),
        (r"(?<=[aeiou][rz])es$", ""),
    )
)
_PT_INVARIABLE = frozenset(
    ("pais", "mais", "cais", "dois", "pois", "depois", "demais", "jamais", "seis", "lapis", "onibus", "atraves")
)
_PT_IRREGULAR = {"leis": "lei", "reis": "rei", "males": "mal", "gols": "gol"}
_PT_CLITIC = re.compile(r"^(?:se|me|te|lhe|lhes|nos|vos|o|a|os|as|lo|la|los|las|no|na)$")


def stem(folded_word: str, language: str) -> str:
    """Return the folded snowball stem of a folded word; figures and identifiers come back unchanged.

    Args:
        folded_word: one token as `fold_word` gives it.
        language: "pt", "en" or "es"; any other value strips a plain plural only.

    Source: Porter, Snowball (2001), with the plurals of Orengo & Huyck, A stemming algorithm for Portuguese (2001).
    """
    return _stem(folded_word, language)


@lru_cache(maxsize=131072)
def _stem(word: str, language: str) -> str:
    if len(word) < 3 or any(c.isdigit() or c == "_" for c in word) or not word[0].isascii():
        return word
    algorithm = _SNOWBALL.get(language)
    if algorithm is None:
        return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    if language == "pt":
        word = _restore_portuguese(word)
    with _LOCK:
        return fold(_stemmer(algorithm).stemWord(word)) or word


@lru_cache(maxsize=8)
def _stemmer(algorithm: str) -> _Stemmer:
    # The library has no type stubs.
    return cast(_Stemmer, import_module("Stemmer").Stemmer(algorithm))


def _restore_portuguese(word: str) -> str:
    if word in _PT_INVARIABLE:
        return word
    if word in _PT_IRREGULAR:
        return _PT_IRREGULAR[word]
    for pattern, ending in _PT_ENDINGS:
        restored, count = pattern.subn(ending, word)
        if count:
            return restored
    return word


def stems(text: str, language: str | None = None) -> list[str]:
    """Return the stems of the content words of `text` in order, repeated as they occur.

    A hyphenated word gives the stems of its parts, so that `pós-venda` meets `pós venda`; identifiers stay whole.

    Args:
        language: as for `stem`; None detects it.
    """
    known = language if language is not None else detect(text)
    return [found for word in content_words(text) for found in _word_stems(word.folded, known)]


@lru_cache(maxsize=131072)
def _word_stems(folded: str, language: str) -> tuple[str, ...]:
    return tuple(stem(part, language) for part in _parts(folded))


@lru_cache(maxsize=65536)
def both_stems(folded: str) -> tuple[str, ...]:
    """Return the distinct stems of a folded word under Portuguese and English, in that order."""
    return tuple(dict.fromkeys((stem(folded, "pt"), stem(folded, "en"))))


def _parts(folded: str) -> list[str]:
    if "-" not in folded or "_" in folded:
        return [folded]
    parts = [part for part in folded.split("-") if part]
    letters = [part.isalpha() for part in parts]
    if not (all(letters) or all(part.isdigit() for part in parts)):
        return [folded]
    if len(parts) == 2 and len(parts[0]) == 1 and all(letters):
        return ["".join(parts)]
    kept = [parts[0], *(p for p in parts[1:] if not _PT_CLITIC.match(p))]
    return [part for part in kept if not is_stopword(part)] or [folded]
