"""Cosine, mean of the best, unit rows."""

import numpy as np
import pytest

from polyrag_cli.scoring.similarity import cosine, normalize


def test_cosine_of_unit_vectors() -> None:
    matrix = np.array([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]], dtype=np.float32)
    assert cosine(matrix, np.array([0.6, 0.8], dtype=np.float32)) == pytest.approx([0.6, 1.0, -0.6])


def test_cosine_never_leaves_its_range() -> None:
    over = np.array([[1.0000001, 0.0]], dtype=np.float64)
    assert cosine(over, over[0])[0] == 1.0


def test_cosine_with_no_rows() -> None:
    assert cosine(np.zeros((0, 3), dtype=np.float32), np.ones(3, dtype=np.float32)).shape == (0,)
    # Nothing was embedded, so there is no dimension either.
    assert cosine(np.zeros((0, 0), dtype=np.float32), np.ones(3, dtype=np.float32)).shape == (0,)


def test_normalize_keeps_zero_rows() -> None:
    unit = normalize(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert unit.dtype == np.float32
    assert unit == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
