from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from polyrag_cli.graph.arrays_file import coded, decoded


@pytest.mark.parametrize(
    ("array", "way", "size"),
    [
        (np.array([3, 200, 0], dtype=np.int32), "narrow", 3),
        (np.array([3, 60_000, 0], dtype=np.int64), "narrow", 6),
        (np.array([0, 90_000, 90_010], dtype=np.int32), "", 12),
        (np.array([10, 60_010, 90_010], dtype=np.int32), "steps", 6),
        (np.array([1_000, 1_000, 1_250, 1_251], dtype=np.int64), "narrow", 8),
        (np.array([0, 200, 400, 600], dtype=np.int64), "steps", 4),
        (np.array([-1, 5], dtype=np.int32), "", 8),
        (np.array([0.9, 1.0] * 20, dtype=np.float32), "table", 40),
        (np.array([0.0, -0.0] * 20, dtype=np.float32), "table", 40),
        (np.linspace(0, 1, 5_000, dtype=np.float32), "", 20_000),
        (np.zeros(0, dtype=np.float32), "", 0),
        (np.zeros((3, 4), dtype=np.int64), "narrow", 12),
        (np.array([7, 300], dtype=np.uint16), "", 4),
    ],
)
def test_bits_are_kept_in_fewer_bytes(array: npt.NDArray[np.generic], way: str, size: int) -> None:
    kept = coded(array)
    assert (kept.way, kept.numbers.nbytes) == (way, size)
    again = decoded(kept, array.dtype.str, array.shape)
    assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_many_distinct_numbers_take_two_bytes_each() -> None:
    array = np.repeat(np.linspace(0, 1, 1_000, dtype=np.float32), 20)
    assert coded(array).numbers.nbytes == 2 * len(array)
