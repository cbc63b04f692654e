from __future__ import annotations

import os
import time
from io import BytesIO
from pathlib import Path

import numpy as np

from polyrag_cli.stores.vector_segments import Segments
from tests.stores.corpus import unit_vectors


def _of_size(dimension: int) -> bytes:
    file = BytesIO()
    np.save(file, np.zeros(2, dtype=[("owner", "<i8"), ("vector", "<f2", (dimension,))]))
    return file.getvalue()


def test_segments_give_back_living_rows_once(tmp_path: Path) -> None:
    segments = Segments(tmp_path, "ab", 16)
    halves = unit_vectors(6).astype(np.float16)
    segments.write(np.array([1, 1, 2, 3]), halves[:4], ())
    segments.write(np.array([3, 4]), halves[[3, 5]], ())
    owners, vectors = segments.read(np.array([1, 3, 4]), segments.list())
    assert owners.tolist() == [1, 1, 3, 4]
    assert np.array_equal(vectors, halves[[0, 1, 3, 5]])
    assert [(segment.last, segment.rows) for segment in segments.list()] == [(3, 4), (4, 2)]


def test_other_catalogs_sizes_and_damaged_files_are_passed_over(tmp_path: Path) -> None:
    halves = unit_vectors(2).astype(np.float16)
    Segments(tmp_path, "ab", 16).write(np.array([1, 2]), halves, ())
    assert Segments(tmp_path, "cd", 16).list() == []
    assert Segments(tmp_path, "ab", 8).list() == []
    (found,) = Segments(tmp_path, "ab", 16).list()
    for content in (b"", b"no array", b"PK\x03\x04 broken", _of_size(15), found.path.read_bytes()[:-8]):
        found.path.write_bytes(content)
        owners, vectors = Segments(tmp_path, "ab", 16).read(np.array([1, 2]), [found])
        assert (len(owners), vectors.shape) == (0, (0, 16))
    found.path.unlink()
    assert len(Segments(tmp_path, "ab", 16).read(np.array([1, 2]), [found])[0]) == 0


def test_a_new_segment_takes_the_place_of_those_it_merges(tmp_path: Path) -> None:
    segments = Segments(tmp_path, "ab", 16)
    halves = unit_vectors(2).astype(np.float16)
    segments.write(np.array([1]), halves[:1], ())
    segments.write(np.array([1, 2]), halves, segments.list())
    assert [segment.rows for segment in segments.list()] == [2]


def test_a_killed_writers_file_goes_after_a_while(tmp_path: Path) -> None:
    old, young = tmp_path / ".ab-16-1-1-0.npy-00ff00ff.tmp", tmp_path / ".ab-16-1-1-0.npy-00ff00fe.tmp"
    for left in (old, young):
        left.write_bytes(b"half")
    past = time.time() - 3600
    os.utime(old, (past, past))
    Segments(tmp_path, "ab", 16).write(np.array([1]), unit_vectors(1).astype(np.float16), ())
    assert (old.exists(), young.exists()) == (False, True)


def test_writers_of_the_same_rows_leave_one_segment(tmp_path: Path) -> None:
    segments = Segments(tmp_path, "ab", 16)
    halves = unit_vectors(2).astype(np.float16)
    segments.write(np.array([1, 2]), halves, ())
    segments.write(np.array([1, 2]), halves, segments.list())
    segments.write(np.array([1, 3]), halves, ())
    assert len(segments.list()) == len(list(tmp_path.iterdir())) == 2
    owners, vectors = segments.read(np.array([1, 2]), segments.list())
    assert (owners.tolist(), np.array_equal(vectors, halves)) == ([1, 2], True)
