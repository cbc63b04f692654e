"""The default embedder: USE multilingual v3 on numpy, 512 dimensions, 16 languages, no download.

Owns how texts are cut, grouped and spread over threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from polyrag_cli.providers.base import Vectors, window_text
from polyrag_cli.providers.use_m3_encoder import DIMENSION, UseM3Encoder
from polyrag_cli.providers.use_m3_tokenizer import UseM3Tokenizer
from polyrag_cli.providers.use_m3_weights import load_model

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# What a vector of 512 numbers can speak for; what follows in a text is not embedded.
MAX_CHARACTERS = 4_000
MAX_PIECES = 2_000
# Pieces of one group of texts: enough to stream the weights rarely, few enough to stay in the processor's cache.
_GROUP_PIECES = 384
# A passage is one group up to here, which is about 1,000 words in overlapping windows.
_PASSAGE_PIECES = 2_048
_WORD_CHARACTERS = 40
_REVISION = 1  # of grouping, cutting and arithmetic: vectors of another revision differ in their bits


class UseM3Embedder:
    """USE multilingual v3 with memory-mapped weights; loads itself on first use and may be called from any thread.

    A text is cut after 4,000 characters or 2,000 pieces. Products run on one BLAS thread, because splitting a product
    changes its last bits and gains little at these sizes; `threads` groups of texts run side by side instead.
    """

    dimension = DIMENSION

    def __init__(self, cache_dir: Path | None = None, threads: int = 1) -> None:
        """cache_dir: where decoded weights are kept (80 MB), None for nowhere; threads: ≥ 1, of one `embed` call.

        Raises ValueError for fewer threads than one.
        """
        if threads < 1:
            raise ValueError(f"threads is {threads}; at least 1 is needed")
        self._cache_dir = cache_dir
        self._threads = threads
        self._lock = RLock()
        self._loaded: tuple[str, UseM3Tokenizer, UseM3Encoder] | None = None
        self._alone: bool | None = None
        self._pool: ThreadPoolExecutor | None = None

    @classmethod
    def from_options(cls, *, cache_dir: Path | None = None, threads: int = 1) -> UseM3Embedder:
        """Built from what the settings offer every embedder."""
        return cls(cache_dir, threads)

    @property
    def name(self) -> str:
        """Identity: the model, a digest of its weights and vocabulary, the revision of the arithmetic."""
        return f"use-m3-{self._load()[0]}-{_REVISION}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, (len(texts), 512); blank texts give zeros. Bits of a row don't depend on the other texts.

        Raises ProviderError when the model can't be loaded.
        """
        _, tokenizer, encoder = self._load()
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        pieces = (_pieces(tokenizer, text) for text in texts)
        # Single words cost most in the layers behind the sum over a text, which like many texts at once.
        budget = _GROUP_PIECES if any(len(text) > _WORD_CHARACTERS for text in texts) else _PASSAGE_PIECES
        groups = _groups(pieces, 0 if len(texts) > 1 and self._must_be_alone() else budget)

        def encode(group: list[tuple[int, list[int]]]) -> None:
            vectors[[row for row, _ in group]] = encoder.encode([ids for _, ids in group], tiled=True)

        if self._threads == 1:
            for group in groups:
                encode(group)
        else:
            for _ in self._workers().map(encode, groups):
                pass
        return vectors

    def embed_windows(self, sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Unit vectors of the joined sentences of each span, (len(spans), 512).

        Overlapping windows share their work. Call it with one passage at a time: its bits depend on nothing else.
        """
        _, tokenizer, encoder = self._load()
        vectors = np.zeros((len(spans), DIMENSION), dtype=np.float32)
        pieces = (_pieces(tokenizer, window_text(sentences, span)) for span in spans)
        for group in _groups(pieces, _PASSAGE_PIECES):
            vectors[[row for row, _ in group]] = encoder.encode([ids for _, ids in group], tiled=False)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Unit vector, (512,); zeros for a blank text."""
        _, tokenizer, encoder = self._load()
        ids = _pieces(tokenizer, text)
        if not ids:
            return np.zeros(DIMENSION, dtype=np.float32)
        vector: Vectors = encoder.encode([ids], tiled=False)[0]
        return vector

    def close(self) -> None:
        """Ends the worker threads and lets go of the weights; a later call loads them again."""
        with self._lock:
            pool, self._pool, self._loaded = self._pool, None, None
        if pool is not None:
            pool.shutdown()

    def _load(self) -> tuple[str, UseM3Tokenizer, UseM3Encoder]:
        loaded = self._loaded
        if loaded is not None:
            return loaded
        with self._lock:
            if self._loaded is None:
                _one_blas_thread()
                model = load_model(self._cache_dir)
                self._loaded = (model.identity, UseM3Tokenizer(model.tables), UseM3Encoder(model))
            return self._loaded

    def _must_be_alone(self) -> bool:
        """Whether texts can't share a group without touching each other's bits on this machine; found out once."""
        if self._alone is None:
            self._alone = not self._load()[2].tiles_are_alike()
        return self._alone

    def _workers(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
            return self._pool


def _pieces(tokenizer: UseM3Tokenizer, text: str) -> list[int]:
    return tokenizer.ids(text[:MAX_CHARACTERS], MAX_PIECES)


def _groups(pieces: Iterator[list[int]], budget: int) -> Iterator[list[tuple[int, list[int]]]]:
    """Texts with content as (row, ids), in order, in groups of at most `budget` pieces or of one text."""
    group: list[tuple[int, list[int]]] = []
    size = 0
    for row, ids in enumerate(pieces):
        if not ids:
            continue
        if group and size + len(ids) > budget:
            yield group
            group, size = [], 0
        group.append((row, ids))
        size += len(ids)
    if group:
        yield group


def _one_blas_thread() -> None:
    """Keeps numpy's BLAS to one thread for the rest of the process.

    Not a context: two threads that enter and leave one would switch it on and off under each other's products.
    """
    from threadpoolctl import ThreadpoolController

    ThreadpoolController().limit(limits=1, user_api="blas")
