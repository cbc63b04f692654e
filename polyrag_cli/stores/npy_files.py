"""Owns how a NumPy file of `cache/` is read: one with anything wrong is as good as none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

# A file's header is an expression in Python: what is left of a damaged one may trip the tokenizer, the parser or the
# arithmetic of sizes.
UNREADABLE = (
    *(OSError, EOFError, ValueError, TypeError, OverflowError),
    *(RecursionError, MemoryError, SyntaxError, TokenError),
)


def mapped(path: Path, kind: DTypeLike, axes: int = 1) -> NDArray[Any] | None:
    """The array of a `.npy` file, mapped into memory: None where it can't be read, has elements of another type than
    `kind`, or another number of axes."""
    with suppress(*UNREADABLE):
        # Not numpy.load, which takes archives and pickles as well.
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
        if array.dtype == np.dtype(kind) and array.ndim == axes:
            return array
    return None
