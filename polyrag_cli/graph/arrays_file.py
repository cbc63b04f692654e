"""Owns the file of a graph's arrays: mapped into memory, and small, since most arrays hold few or small numbers.

What stands in it narrower than it is used is widened when it is first asked for: a question that walks nowhere pays for
no walk.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from polyrag_cli.errors import StoreError
from polyrag_cli.graph.arrays import GraphArrays, Matrix, Relations, Strings
from polyrag_cli.scoring.walk_graph import WalkGraph

Array = npt.NDArray[Any]
Read = Callable[[], Array]

_MAGIC: Final = b"PRGRAPH3"
_ALIGN: Final = 64
_NARROW: Final = (np.dtype("|u1"), np.dtype("<u2"))
# Of an array's first numbers, how many may differ for all of them to be looked through.
_SAMPLE: Final = 8192
_SAMPLE_DISTINCT: Final = 2048
_GROUPS: Final[dict[str, type[Any]]] = {
    **dict.fromkeys(("chunk_ids", "documents", "entity_keys", "entity_names", "terms", "verb"), Strings),
    **dict.fromkeys(("mentions", "titles", "title_passages", "postings", "trigrams"), Matrix),
    "relations": Relations,
    "walk": WalkGraph,
}


@dataclass(frozen=True, eq=False)
class Coded:
    """An array of any shape as numbers (n,) that stand for its elements.

    way: "" for the elements themselves, "narrow" for the same numbers in fewer bytes, "steps" for what each is above
    the one before it, "table" for places in `table`.
    """

    way: str
    numbers: Array
    table: Array | None = None


def save(arrays: GraphArrays, path: Path) -> None:
    """Writes the arrays to one file: magic, header length, JSON header, then each array at a multiple of 64 bytes.

    Raises OSError when the file can't be written.
    """
    header: dict[str, Any] = {"generation": arrays.generation, "arrays": {}}
    parts: list[Array] = []
    offset = 0

    def place(array: Array) -> list[object]:
        nonlocal offset
        parts.append(array)
        placed = [array.dtype.str, len(array), offset]
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
        return placed

    for name, array in flatten(arrays).items():
        kept = coded(array)
        tables = [] if kept.table is None else [place(kept.table)]
        header["arrays"][name] = [array.dtype.str, list(array.shape), kept.way, place(kept.numbers), *tables]
    header["size"] = offset
    encoded = json.dumps(header, sort_keys=True).encode()
    encoded += b" " * (-(len(_MAGIC) + 8 + len(encoded)) % _ALIGN)
    with path.open("wb") as file:
        file.write(_MAGIC + len(encoded).to_bytes(8, "little") + encoded)
        for array in parts:
            file.write(array.tobytes())
            file.write(b"\0" * (-array.nbytes % _ALIGN))


def load(path: Path) -> GraphArrays:
    """Maps a file of `save` into memory.

    Raises StoreError when it is damaged or of another version, OSError when it can't be read.
    """
    data = np.memmap(path, dtype=np.uint8, mode="r")
    start = len(_MAGIC) + 8
    if data[: len(_MAGIC)].tobytes() != _MAGIC:
        raise StoreError(f"{path.name} is no graph file of this version.", "Delete cache/; it is rebuilt.")
    length = int.from_bytes(data[len(_MAGIC) : start].tobytes(), "little")
    try:
        header = json.loads(data[start : start + length].tobytes())
        body = data[start + length :].view(np.ndarray)
        if len(body) != header["size"]:
            raise StoreError(f"{path.name} is cut short.", "Delete cache/; it is rebuilt.")
        flat = {name: _reader(body, entry) for name, entry in header["arrays"].items()}
        arrays: GraphArrays = _assemble("", GraphArrays, flat, {"generation": int(header["generation"])})
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise StoreError(f"{path.name} is damaged.", "Delete cache/; it is rebuilt.") from error
    return arrays


# ---------------------------------------------------------------- how numbers stand in it
def coded(array: Array) -> Coded:
    """The shortest way to keep an array's bits."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if not len(flat) or flat.dtype.itemsize <= 1:
        return Coded("", flat)
    if flat.dtype.kind == "f":
        return _by_table(flat)
    steps = np.diff(flat, prepend=flat.dtype.type(0))
    ways = [
        Coded(way, narrowed) for way, values in (("narrow", flat), ("steps", steps)) for narrowed in _narrow(values)
    ]
    return min(ways, key=lambda way: way.numbers.nbytes, default=Coded("", flat))


def decoded(kept: Coded, kind: npt.DTypeLike, shape: tuple[int, ...]) -> Array:
    """The array of a code: its elements' type and its shape."""
    if kept.way == "steps":
        return np.cumsum(kept.numbers, dtype=kind).reshape(shape)
    if kept.table is not None:
        # Wide enough for any number that a damaged file may hold.
        table = np.zeros(1 << 8 * kept.numbers.dtype.itemsize, dtype=kind)
        table[: len(kept.table)] = kept.table
        return table[kept.numbers].reshape(shape)
    return kept.numbers.astype(kind, copy=False).reshape(shape)


def _narrow(values: Array) -> list[Array]:
    """The numbers in the narrowest type that holds them, where that is narrower than theirs."""
    low, high = int(values.min()), int(values.max())
    fitting = [kind for kind in _NARROW if kind.itemsize < values.dtype.itemsize and high <= np.iinfo(kind).max]
    return [values.astype(fitting[0])] if fitting and low >= 0 else []


def _by_table(flat: Array) -> Coded:
    # As integers: 0.0 and -0.0 are equal, their bits aren't.
    bits = flat.view(f"<i{flat.dtype.itemsize}")
    if len(np.unique(bits[:_SAMPLE])) <= _SAMPLE_DISTINCT:
        table, places = np.unique(bits, return_inverse=True)
        narrowed = _narrow(places.astype(np.int64))
        if narrowed and narrowed[0].nbytes + table.nbytes < flat.nbytes:
            return Coded("table", narrowed[0], table.view(flat.dtype))
    return Coded("", flat)


# ---------------------------------------------------------------- from and to arrays by name
def flatten(value: object, prefix: str = "") -> dict[str, Array]:
    """All arrays of a graph, by name."""
    flat: dict[str, Array] = {}
    for field in fields(value):  # type: ignore[arg-type]
        part = getattr(value, field.name)
        if isinstance(part, np.ndarray):
            flat[prefix + field.name] = np.ascontiguousarray(part)
        elif field.name in _GROUPS:
            flat.update(flatten(part, f"{prefix}{field.name}."))
    return flat


def _reader(body: Array, entry: list[Any]) -> Read:
    """What reads one array. Whatever could be wrong with it in a damaged file shows here, and nothing later."""
    kind, shape, way, *placed = entry
    views = []
    for stored, count, offset in placed:
        view = body[offset : offset + count * np.dtype(stored).itemsize].view(stored)
        if len(view) != count or np.dtype(stored).kind not in "iuf":
            raise ValueError("an array lies outside the file")
        views.append(view)
    numbers, table = views[0], (views[1] if way == "table" else None)
    if len(numbers) != int(np.prod(shape)) or np.dtype(kind).kind not in "iuf":
        raise ValueError("an array has another shape")
    if table is not None and (numbers.dtype not in _NARROW or len(table) > 1 << 8 * numbers.dtype.itemsize):
        raise ValueError("a table has another size")
    return partial(decoded, Coded(way, numbers, table), kind, tuple(shape))


def _assemble(prefix: str, kind: type[Any], flat: Mapping[str, Read], plain: Mapping[str, int]) -> Any:
    made = object.__new__(_LAZY[kind])
    readers: dict[str, Read] = {}
    for field in fields(kind):
        group = _GROUPS.get(field.name)
        if field.name in plain:
            made.__dict__[field.name] = plain[field.name]
        elif group is not None:
            made.__dict__[field.name] = _assemble(f"{prefix}{field.name}.", group, flat, {})
        else:
            readers[field.name] = flat[prefix + field.name]
    made.__dict__["_readers"] = readers
    return made


def _read(self: Any, name: str) -> Array:
    readers = self.__dict__.get("_readers", {})
    if name not in readers:
        raise AttributeError(name)
    array: Array = readers[name]()
    self.__dict__[name] = array
    return array


# Of each class one whose objects read each of their arrays when it is first asked for.
_LAZY: Final[dict[type[Any], type[Any]]] = {
    kind: type(kind.__name__, (kind,), {"__getattr__": _read})
    for kind in (Strings, Matrix, Relations, WalkGraph, GraphArrays)
}
