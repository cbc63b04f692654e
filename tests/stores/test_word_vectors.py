from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.stores import word_vectors
from polyrag_cli.stores.word_vectors import WordVectors
from tests.stores.corpus import unit_vectors

WORDS = ["boat", "ship", "tree"]
HALVES = unit_vectors(3).astype(np.float16)


def _kept(folder: Path, words: list[str] = WORDS) -> WordVectors:
    vectors = WordVectors(folder, "embedder")
    vectors.keep(dict(zip(words, HALVES, strict=False)))
    return vectors


def test_words_come_back_with_their_bits(tmp_path: Path) -> None:
    _kept(tmp_path / "new" / "folder")
    found, vectors = WordVectors(tmp_path / "new" / "folder", "embedder").find(["tree", "sand", "boat"])
    assert found.tolist() == [True, False, True]
    assert vectors.tobytes() == HALVES[[2, 0]].tobytes()


def test_each_embedder_has_its_own(tmp_path: Path) -> None:
    _kept(tmp_path)
    assert not WordVectors(tmp_path, "other").find(WORDS)[0].any()


def test_the_files_hold_no_word_and_are_their_owners(tmp_path: Path) -> None:
    _kept(tmp_path)
    for file in (*tmp_path.glob("*.vectors"), *tmp_path.glob("*.keys")):
        assert not any(word.encode() in file.read_bytes() for word in WORDS)
        assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("kind", "place"), [("keys", 0), ("keys", 9), ("vectors", 0), ("vectors", 15)])
def test_a_damaged_row_is_as_good_as_none_until_it_is_kept_again(tmp_path: Path, kind: str, place: int) -> None:
    vectors = _kept(tmp_path)
    (file,) = tmp_path.glob(f"*.{kind}")
    content = bytearray(file.read_bytes())
    content[place] ^= 8
    file.write_bytes(content)
    assert vectors.find(WORDS)[0].tolist() == [False, True, True]
    vectors.keep({"boat": HALVES[0]})
    found, halves = vectors.find(WORDS)
    assert found.all()
    assert halves.tobytes() == HALVES.tobytes()


@pytest.mark.parametrize("torn", [{}, {"vectors": b"x"}, {"vectors": b"x" * 16, "keys": b"x" * 11}])
def test_what_a_killed_process_left_is_written_over(tmp_path: Path, torn: dict[str, bytes]) -> None:
    vectors = _kept(tmp_path, WORDS[:1])
    for kind, left in torn.items():
        (file,) = tmp_path.glob(f"*.{kind}")
        file.write_bytes(file.read_bytes() + left)
    assert vectors.find(WORDS)[0].tolist() == [True, False, False]
    vectors.keep({"ship": HALVES[1]})
    assert vectors.find(WORDS)[0].tolist() == [True, True, False]


@pytest.mark.parametrize("kind", ["keys", "vectors"])
def test_blank_pages_hold_no_word(tmp_path: Path, kind: str) -> None:
    vectors = _kept(tmp_path)
    (file,) = tmp_path.glob(f"*.{kind}")
    file.write_bytes(bytes(file.stat().st_size))
    assert not vectors.find(WORDS)[0].any()


def test_a_file_that_is_gone_is_as_good_as_none(tmp_path: Path) -> None:
    vectors = _kept(tmp_path)
    (file,) = tmp_path.glob("*.vectors")
    file.unlink()
    assert not vectors.find(WORDS)[0].any()
    vectors.keep({"sand": HALVES[0]})
    found, halves = vectors.find([*WORDS, "sand"])
    assert found.tolist() == [False, False, False, True]
    assert halves.tobytes() == HALVES[0].tobytes()


def test_a_full_file_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "MAX_WORDS", 3)
    vectors = _kept(tmp_path)
    vectors.keep({"sand": HALVES[0]})
    assert vectors.find([*WORDS, "sand"])[0].tolist() == [False, False, False, True]


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    assert not _kept(tmp_path / "file").find(WORDS)[0].any()
