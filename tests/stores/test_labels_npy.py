from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.stores import labels_npy
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.labels_npy import LabelFiles, LabelVectors
from tests.stores.corpus import unit_vectors

TEXTS = ("receita bruta", "", "Foz", "\ud800", "river")
VECTORS = dict(zip(TEXTS, unit_vectors(len(TEXTS)), strict=True))


def _file(paths: DataPaths) -> Path:
    (found,) = paths.cache.iterdir()
    return found


def _bits(found: dict[str, NDArray[np.float32]]) -> dict[str, bytes]:
    return {text: vector.tobytes() for text, vector in found.items()}


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"PK\x03\x04 broken", "cut", "other array"])
def test_a_damaged_file_is_passed_over_and_written_anew(paths: DataPaths, damage: bytes | str) -> None:
    LabelFiles(paths).of("one", 16).keep(VECTORS)
    file = _file(paths)
    if isinstance(damage, bytes):
        file.write_bytes(damage)
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:-1])
    else:
        with file.open("wb") as out:
            np.save(out, np.zeros((3, 16)))
    kept = LabelFiles(paths).of("one", 16)
    assert kept.find(TEXTS) == {}
    kept.keep(VECTORS)
    assert _bits(kept.find(TEXTS)) == _bits(VECTORS)


def test_a_damaged_vector_is_no_vector_and_is_replaced(paths: DataPaths) -> None:
    LabelFiles(paths).of("one", 16).keep({"river": VECTORS["river"]})
    file = _file(paths)
    # As a page that never reached the disk.
    file.write_bytes(file.read_bytes()[:-64] + bytes(64))
    kept = LabelFiles(paths).of("one", 16)
    assert kept.find(["river"]) == {}
    kept.keep({"river": VECTORS["river"]})
    assert _bits(LabelFiles(paths).of("one", 16).find(["river"])) == _bits({"river": VECTORS["river"]})


def test_a_folder_that_cannot_be_written_is_no_failure(paths: DataPaths) -> None:
    paths.root.mkdir()
    paths.cache.write_text("a file where the folder should be", encoding="utf-8")
    kept = LabelFiles(paths).of("one", 16)
    kept.keep(VECTORS)
    assert kept.find(TEXTS) == {}


def test_a_full_file_takes_no_more(paths: DataPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels_npy, "MAX_TEXTS", 4)
    kept = LabelVectors(paths.cache / "labels.npy", 16)
    assert kept.room() == 4
    kept.keep({text: VECTORS[text] for text in TEXTS[:3]})
    assert kept.room() == 1
    kept.keep({text: VECTORS[text] for text in TEXTS[3:]})
    assert (kept.room(), list(kept.find(TEXTS))) == (0, list(TEXTS[:4]))
    before = _file(paths).stat().st_mtime_ns
    kept.keep({"more": VECTORS["Foz"]})
    assert _file(paths).stat().st_mtime_ns == before
