import zlib

import numpy as np
import pytest

from polyrag_cli.providers.hashing import HashingEmbedder


def test_features_fall_into_the_buckets_of_their_checksum() -> None:
    dimension = 65_536
    expected = np.zeros(dimension)
    # "sol" twice: the word with weight 1, its 3-grams <so sol ol> and 4-grams <sol sol> with .35; each counted √2.
    for feature, weight in [
        ("sol", 1.0),
        ("#<so", 0.35),
        ("#sol", 0.35),
        ("#ol>", 0.35),
        ("#<sol", 0.35),
        ("#sol>", 0.35),
    ]:
        code = zlib.crc32(feature.encode())
        expected[(code >> 1) % dimension] += (1 if code & 1 else -1) * weight * 2**0.5
    expected /= np.linalg.norm(expected)
    assert HashingEmbedder(dimension).embed_query("Sol SOL") == pytest.approx(expected, abs=1e-7)


def test_spelling_decides_closeness() -> None:
    a, b, c = HashingEmbedder().embed(
        ["a bilheteria vendeu ingressos", "ingresso vendido na bilheteria", "zebra quilômetro"]
    )
    assert a @ b > 0.3
    assert a @ b > a @ c + 0.2


def test_case_and_accents_do_not_matter() -> None:
    embedder = HashingEmbedder()
    assert np.array_equal(embedder.embed_query("FUNÇÃO Elétrica"), embedder.embed_query("funcao eletrica"))


def test_names_tell_dimensions_apart() -> None:
    assert HashingEmbedder(64).name != HashingEmbedder(128).name
    assert HashingEmbedder(64).embed_query("x").shape == (64,)


@pytest.mark.parametrize("dimension", [0, -1, 65_537])
def test_an_impossible_dimension_is_refused(dimension: int) -> None:
    with pytest.raises(ValueError, match=str(dimension)):
        HashingEmbedder(dimension)


def test_neither_company_nor_what_was_embedded_before_changes_a_bit() -> None:
    words = ["banana", "bandana", "maré", "x" * 500, "東京", "harbour"]
    alone = [HashingEmbedder().embed_query(word) for word in words]
    assert np.array_equal(HashingEmbedder().embed(words), np.stack(alone))
    assert HashingEmbedder().embed_query("x" * 500) @ alone[3] == pytest.approx(1.0)


def test_a_word_and_its_grams_add_up_to_these_bits() -> None:
    # "aa": the word; <aa aa> and <aa>. Worked out by hand in order of the features: "#<aa", "#<aa>", "#aa>", "aa".
    sums = [0.0] * 8
    for feature in ("#<aa", "#<aa>", "#aa>", "aa"):
        code = zlib.crc32(feature.encode())
        sums[(code >> 1) % 8] += (1.0 if code & 1 else -1.0) * (1.0 if feature == "aa" else 0.35)
    expected = (np.asarray(sums) / np.sqrt(np.asarray(sums) @ np.asarray(sums))).astype(np.float32)
    assert HashingEmbedder(8).embed_query("aa").tobytes() == expected.tobytes()
