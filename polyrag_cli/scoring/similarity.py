"""Owns cosine similarity and its summaries."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]


def cosine(matrix: Floats, vector: Floats) -> npt.NDArray[np.float32]:
    """Return the cosine of each row with `vector`, clipped to [-1, 1].

    Args:
        matrix: shape (n, d), unit rows.
        vector: shape (d,), unit length.

    Source: for unit vectors the cosine is the inner product.
    """
    if matrix.shape[0] == 0:
        return np.zeros(0, dtype=np.float32)
    return np.clip(matrix @ vector, -1.0, 1.0).astype(np.float32, copy=False)


def normalize(matrix: Floats) -> npt.NDArray[np.float32]:
    """Return the rows of `matrix`, shape (n, d), scaled to unit length; zero rows stay zero."""
    wide = np.asarray(matrix, dtype=np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / np.where(norms == 0.0, 1.0, norms)).astype(np.float32)
