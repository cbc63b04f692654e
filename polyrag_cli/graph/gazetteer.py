"""Owns the names that the graph knows: their normal form, the forms of a title, acronyms, finding them in word
lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.text.parts import parted
from polyrag_cli.text.words import empty_words, is_stopword

MAX_NGRAM = 6
MAX_KEY_WORDS = 8

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_HEAD = re.compile(r"^(.+?)(?:\s*[,:;]|\s+[-–—]\s)")
_BLOCK_WORDS = 500_000
_HASH_BASE = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class TitleName:
    """A name that a title or heading gives its passage; `weight` is 1 for the whole title, less for a part of it."""

    key: str
    name: str
    weight: float


def key_of(text: str) -> str:
    """Return the normal form under which two spellings of a name are equal; empty when `text` holds no word."""
    return " ".join(word.folded for word in parted(text))


def nameless(key: str) -> bool:
    """Tell whether a single word can't be a name where it stands in lower case: function words, letters, figures."""
    return " " not in key and (len(key) < 2 or key.isdigit() or key in empty_words())


def title_names(title: str, language: str) -> tuple[TitleName, ...]:
    """Return the names that a title gives: itself, without brackets, without its article, and its head (weight 0.7).

    The head is what stands before the first comma, colon or dash, so that "Policy Q-7: limits" also names "Policy Q-7".
    """
    articles = language_of(language).function_words.articles | language_of(UNDETERMINED).names.leading
    plain = _BRACKETS.sub("", title).strip()
    head = _HEAD.match(plain)
    forms = [(title.strip(), 1.0), (plain, 1.0)]
    if head is not None:
        forms.append((head[1].strip(), 0.7))
    names: dict[str, TitleName] = {}
    for form, weight in forms:
        words = parted(form)
        for first in (0, 1) if len(words) > 1 and words[0].folded in articles else (0,):
            key = " ".join(word.folded for word in words[first:])
            if key and len(words) - first <= MAX_KEY_WORDS and not nameless(key):
                names.setdefault(key, TitleName(key, form[words[first].start :], weight))
    return tuple(names.values())


def acronym_pairs(keys: Sequence[str]) -> list[tuple[int, int]]:
    """Return index pairs (acronym, full name) among `keys`: three letters or more that are the initials of one name.

    Initials are read with and without function words; an acronym that fits more than two names is left alone.
    """
    at = {key: i for i, key in enumerate(keys) if " " not in key and 3 <= len(key) <= MAX_KEY_WORDS and key.isalpha()}
    fitting: dict[int, list[int]] = {}
    for i, key in enumerate(keys):
        parts = key.split(" ")
        if len(parts) < 3:
            continue
        for initials in {"".join(p[0] for p in parts), "".join(p[0] for p in parts if not is_stopword(p))}:
            if initials in at:
                fitting.setdefault(at[initials], []).append(i)
    return [(short, full) for short, fulls in sorted(fitting.items()) if len(fulls) <= 2 for full in fulls]


def find_ngrams(
    flat: npt.NDArray[np.int32], lengths: npt.NDArray[np.int32], vocabulary: Mapping[str, int], keys: Mapping[str, int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return (sequence, key id) of each n-gram, n ≤ 6, of word sequences that is one of `keys`, in order of both.

    Single function words, letters and figures never match.

    flat: the number in `vocabulary` of each word, one sequence after the other. lengths: of each sequence.
    """
    wanted = _keys_by_length(keys, vocabulary)
    ends = np.cumsum(lengths, dtype=np.int64)
    rows: list[npt.NDArray[np.int64]] = []
    columns: list[npt.NDArray[np.int64]] = []
    # Block by block, whole sequences each, so that hashes of few words are in memory at a time.
    first = begin = 0
    while first < len(ends):
        last = max(first + 1, int(np.searchsorted(ends, begin + _BLOCK_WORDS, side="right")))
        end = int(ends[last - 1])
        for found, targets in _hits(flat[begin:end], ends[first:last] - begin, wanted):
            rows.append(found + first)
            columns.append(targets)
        first, begin = last, end
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    row, column = np.concatenate(rows), np.concatenate(columns)
    order = np.lexsort((column, row))
    return row[order], column[order]


def _hits(
    flat: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int64],
    wanted: Mapping[int, tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]],
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """For each length of n-gram the (sequence, key id) of those that are keys and cross no sequence's end."""
    ids = flat.astype(np.uint64) + np.uint64(1)
    rolling = np.zeros(len(ids), dtype=np.uint64)
    for n in range(1, MAX_NGRAM + 1):
        if len(ids) < n:
            break
        rolling = _append_word(rolling[: len(ids) - n + 1], ids[n - 1 :])
        if n not in wanted:
            continue
        hashes, targets = wanted[n]
        at = np.minimum(np.searchsorted(hashes, rolling), len(hashes) - 1)
        hit = np.flatnonzero(hashes[at] == rolling)
        owner = np.searchsorted(ends, hit, side="right")
        whole = ends[owner] - hit >= n
        yield owner[whole], targets[at[hit[whole]]]


def _append_word(hashes: npt.NDArray[np.uint64], ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    # 64 bits over at most a few million n-grams: a collision is rarer than a disk error, and wraps the same everywhere.
    mixed = (hashes ^ (ids * _HASH_BASE)) * np.uint64(0xBF58476D1CE4E5B9)
    result: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return result


def _keys_by_length(
    keys: Mapping[str, int], vocabulary: Mapping[str, int]
) -> dict[int, tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]]:
    by_length: dict[int, tuple[list[list[int]], list[int]]] = {}
    for key, target in keys.items():
        parts = key.split(" ")
        if len(parts) > MAX_NGRAM or (len(parts) == 1 and nameless(key)):
            continue
        ids = [vocabulary[part] for part in parts if part in vocabulary]
        if len(ids) == len(parts):
            grams, targets = by_length.setdefault(len(parts), ([], []))
            grams.append(ids)
            targets.append(target)
    result: dict[int, tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]] = {}
    for n, (grams, targets) in by_length.items():
        matrix = np.asarray(grams, dtype=np.uint64) + np.uint64(1)
        hashes = np.zeros(len(grams), dtype=np.uint64)
        for column in range(n):
            hashes = _append_word(hashes, matrix[:, column])
        order = np.argsort(hashes, kind="stable")
        result[n] = (hashes[order], np.asarray(targets, dtype=np.int64)[order])
    return result
