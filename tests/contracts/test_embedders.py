"""What every registered embedder must hold."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.providers.base import Embedder, joined_windows
from polyrag_cli.registry import names, resolve

TEXTS = [
    "O teatro abre às nove horas.",
    "The theatre opens at nine.",
    "ingressos",
    "Der Zug fährt heute nicht, weil ein Baum auf den Gleisen liegt und niemand ihn wegräumt.",
    "東京の天気は晴れです",
    "",
    " \t\n",
    "a\x00b",
    "lone \ud800 surrogate",
    "emoji 🎭🎟️",
    "¿Cuántas butacas tiene la sala grande?",
    "x" * 3000,
]
BLANK = [row for row, text in enumerate(TEXTS) if not text.strip()]


@pytest.fixture(scope="module")
def cache_dir(model: Path) -> Path:
    return model


@pytest.fixture(params=names("embedder"))
def embedder(request: pytest.FixtureRequest, cache_dir: Path) -> Iterator[Embedder]:
    built: Embedder = resolve("embedder", request.param).from_options(cache_dir=cache_dir, threads=2)
    yield built
    built.close()


def test_rows_are_float32_unit_vectors_and_blank_texts_are_zero(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    norms = np.linalg.norm(vectors, axis=1)
    expected = np.zeros(len(TEXTS)) if embedder.dimension == 0 else np.ones(len(TEXTS))
    expected[BLANK] = 0.0
    assert norms == pytest.approx(expected, abs=1e-5)


def test_a_row_does_not_depend_on_the_other_texts(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS * 9)
    for row, text in enumerate(TEXTS):
        alone = embedder.embed([text])[0]
        for repeat in range(9):
            assert np.array_equal(together[row + repeat * len(TEXTS)], alone), text


def test_order_and_threads_change_nothing(embedder: Embedder) -> None:
    forward = embedder.embed(TEXTS)
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], forward)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed, [TEXTS] * 8):
            assert np.array_equal(vectors, forward)


def test_the_number_of_threads_changes_nothing(embedder: Embedder, cache_dir: Path) -> None:
    single = type(embedder).from_options(cache_dir=cache_dir, threads=1)  # type: ignore[attr-defined]
    assert np.array_equal(single.embed(TEXTS * 5), embedder.embed(TEXTS * 5))
    assert single.name == embedder.name


def test_a_query_has_the_vector_of_its_text(embedder: Embedder) -> None:
    for text, vector in zip(TEXTS, embedder.embed(TEXTS), strict=True):
        query = embedder.embed_query(text)
        assert query.shape == (embedder.dimension,)
        assert query.dtype == np.float32
        assert query == pytest.approx(vector, abs=1e-5)
        assert np.array_equal(embedder.embed_query(text), query)


def test_windows_have_the_vectors_of_their_joined_sentences(embedder: Embedder) -> None:
    sentences = [text for text in TEXTS if len(text) < 200] * 2
    spans = [(first, first + 2) for first in range(len(sentences) - 1)] + [(0, 5), (3, 4), (2, 2)]
    vectors = embedder.embed_windows(sentences, spans)
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(joined_windows(embedder.embed, sentences, spans), abs=1e-5)
    assert not vectors[-1].any()
    embedder.embed(["something else in between"])
    assert np.array_equal(embedder.embed_windows(sentences, spans), vectors)


def test_nothing_in_gives_nothing_out(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)
    assert embedder.embed_windows([], []).shape == (0, embedder.dimension)


def test_a_huge_text_is_cut(embedder: Embedder) -> None:
    vectors = embedder.embed(["a" * 5_000_000, "word " * 1_000_000])
    assert vectors.shape == (2, embedder.dimension)
    assert np.isfinite(vectors).all()


def test_it_works_again_after_close(embedder: Embedder) -> None:
    before = embedder.embed(TEXTS)
    embedder.close()
    assert np.array_equal(embedder.embed(TEXTS), before)


@pytest.mark.parametrize("name", names("embedder"))
def test_another_process_with_another_hash_seed_gives_the_same_bits(name: str, cache_dir: Path) -> None:
    program = (
        "import sys, hashlib; from pathlib import Path; from polyrag_cli.registry import resolve\n"
        "e = resolve('embedder', sys.argv[1]).from_options(cache_dir=Path(sys.argv[2]), threads=1)\n"
        "v = e.embed(['uma frase', 'another sentence', 'x y z'])\n"
        "print(e.name, hashlib.sha256(v.tobytes() + e.embed_query('a question').tobytes()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, name, str(cache_dir)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
