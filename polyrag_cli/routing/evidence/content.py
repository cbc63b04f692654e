"""Owns how rare the content words of a clause are, and which of them any store holds."""

from __future__ import annotations

import math
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, replace

from polyrag_cli.scoring import bm25
from polyrag_cli.stores.base import LexicalStore, Snapshot
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance

_WORDS_KEPT = 65536


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A content word of a clause: its stems, its rarity among the chunks, and whether any store holds it.

    idf: ln((N + 1) / (n + 0.5)) for a word in n of N chunks; bm25_idf: the one that BM25 goes by.
    """

    folded: str
    stems: tuple[str, ...]
    idf: float
    bm25_idf: float
    known: bool


def weighed_words(
    asked: Utterance,
    spoken_for: frozenset[str],
    lexical: LexicalStore,
    snapshot: Snapshot,
    kept: MutableMapping[str, ContentWord],
) -> list[ContentWord]:
    """The content words of a clause, each once, in order.

    spoken_for: folded words that a table explains, which are known whatever the chunks hold.
    kept: what was read of this generation before; added to.
    """
    distinct = list(dict.fromkeys(word.folded for word in asked.content))
    found = {folded: kept.get(folded) for folded in distinct}
    missing = [folded for folded, word in found.items() if word is None]
    if missing:
        read = _read(missing, lexical, snapshot)
        if len(kept) + len(read) > _WORDS_KEPT:
            kept.clear()
        kept.update(read)
        found.update(read)
    words = [word for word in found.values() if word is not None]
    return [replace(word, known=True) if word.folded in spoken_for else word for word in words]


def known_share(words: Sequence[ContentWord]) -> float:
    """The share, by rarity, of words that any store holds; 0.0 without words."""
    mass = sum(word.idf for word in words)
    return sum(word.idf for word in words if word.known) / mass if mass else 0.0


def _read(missing: Sequence[str], lexical: LexicalStore, snapshot: Snapshot) -> dict[str, ContentWord]:
    stems = [stem for folded in missing for stem in all_stems(folded)]
    total, frequency = lexical.document_frequency(snapshot, stems)
    read: dict[str, ContentWord] = {}
    for folded in missing:
        forms = all_stems(folded)
        df = max(frequency.get(stem, 0) for stem in forms)
        idf = math.log((total + 1) / (df + 0.5))
        read[folded] = ContentWord(folded, forms, idf, bm25.idf(total, df), df > 0)
    return read
