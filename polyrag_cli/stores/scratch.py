"""Owns a data directory's scratch place: what is too long for memory lies there while files are read.

Each process has a folder of its own, beside a lock that the system frees when the process dies: so whoever writes next
knows what is nobody's any more, and deletes it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import store_errors

scratch: ContextVar[Path | None] = ContextVar("scratch", default=None)
"""The folder for what is read now; None where there is none, so that the system's own serves."""

_LOCK = ".lock"
# A lock whose folder isn't made yet belongs to a process that is about to.
_YOUNG_S = 600.0


@contextmanager
def scratch_folder(paths: DataPaths) -> Iterator[Path]:
    """A folder for this process's use, the value of `scratch` inside the block, and gone with all in it afterwards.

    Raises StoreError when it can't be made.
    """
    from filelock import FileLock

    sweep_scratch(paths)
    folder = paths.scratch / f"{os.getpid()}-{os.urandom(4).hex()}"
    lock = FileLock(folder.with_suffix(_LOCK), thread_local=False)
    with store_errors(folder):
        paths.scratch.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
        folder.mkdir()
    before = scratch.set(folder)
    try:
        yield folder
    finally:
        scratch.reset(before)
        _delete(folder)
        lock.release()


def sweep_scratch(paths: DataPaths) -> None:
    """Deletes what processes that are dead have left, as far as that can be done."""
    from filelock import FileLock, Timeout

    for file in sorted(paths.scratch.glob(f"*{_LOCK}")):
        folder = file.with_suffix("")
        with suppress(OSError, Timeout):
            if not folder.exists() and time.time() - file.stat().st_mtime < _YOUNG_S:
                continue
            with FileLock(file, timeout=0, thread_local=False):
                _delete(folder)


def _delete(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.with_suffix(_LOCK).unlink()
