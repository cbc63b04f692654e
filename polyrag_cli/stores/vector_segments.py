"""Owns the derived vector segments in `cache/`: which exist, how they are read, written and merged.

A segment maps row ids of the catalog's `windows` table, which are never used twice, to the vectors of those rows; so
any segment is right for any snapshot in which its rows live, and a reader takes from it what it needs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.npy_files import mapped
from polyrag_cli.whole_file import drop_left, replacing

_NAME = re.compile(r"(?P<catalog>[0-9a-f]+)-(?P<dimension>\d+)-(?P<last>\d+)-(?P<rows>\d+)-[0-9a-f]{8}\.npy")

Ids = NDArray[np.int64]
Halves = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class Segment:
    """A complete segment file: `last` is its highest row id, `rows` its number of windows."""

    path: Path
    last: int
    rows: int


class Segments:
    """The segments of one catalog and one vector size below a folder."""

    def __init__(self, folder: Path, catalog: str, dimension: int) -> None:
        self._folder = folder
        self._catalog = catalog
        self.dimension = dimension
        self._kind = np.dtype([("owner", "<i8"), ("vector", "<f2", (dimension,))])

    def list(self) -> list[Segment]:
        """The complete segments, largest first."""
        found = []
        for path in self._folder.glob("*.npy"):
            match = _NAME.fullmatch(path.name)
            if match and match["catalog"] == self._catalog and int(match["dimension"]) == self.dimension:
                found.append(Segment(path, int(match["last"]), int(match["rows"])))
        return sorted(found, key=lambda segment: (-segment.rows, segment.path.name))

    def read(self, live: Ids, among: Sequence[Segment]) -> tuple[Ids, Halves]:
        """The windows that some segments hold of the rows `live`: row id of each window, and (n, d) vectors.

        A segment that vanished or is damaged is passed over: what it held is read from the catalog.
        """
        owners: list[Ids] = [np.zeros(0, dtype=np.int64)]
        vectors: list[Halves] = [np.zeros((0, self.dimension), dtype=np.float16)]
        for segment in among:
            rows = mapped(segment.path, self._kind)
            if rows is None:
                continue
            own = np.ascontiguousarray(rows["owner"])
            wanted = np.isin(own, live)
            for taken in owners:
                if len(taken):
                    wanted &= ~np.isin(own, taken)
            # A whole segment is copied once; a choice of rows costs a second look at each.
            found = (own, rows["vector"]) if wanted.all() else (own[wanted], rows["vector"][wanted])
            owners.append(np.ascontiguousarray(found[0], dtype=np.int64))
            vectors.append(np.ascontiguousarray(found[1], dtype=np.float16))
        owners, vectors = owners[1:] or owners, vectors[1:] or vectors
        return (owners[0], vectors[0]) if len(owners) == 1 else (np.concatenate(owners), np.concatenate(vectors))

    def write(self, owners: Ids, vectors: Halves, replaced: Sequence[Segment]) -> None:
        """Writes one segment under a temporary name, renames it, and deletes those that it replaces.

        Its name tells what rows it holds: processes that write the same rows at once leave one segment of them.
        Raises OSError when the disk refuses; then nothing has changed.
        """
        rows = np.empty(len(owners), dtype=self._kind)
        rows["owner"] = owners
        rows["vector"] = vectors
        self._folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(rows["owner"].tobytes()).hexdigest()[:8]
        path = self._folder / f"{self._catalog}-{self.dimension}-{int(owners.max())}-{len(owners)}-{digest}.npy"
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.save(file, rows, allow_pickle=False)
        for segment in replaced:
            if segment.path != path:
                with suppress(OSError):
                    segment.path.unlink(missing_ok=True)
        drop_left(self._folder)
