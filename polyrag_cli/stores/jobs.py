"""What work is going on in a data directory, told between processes by one small file each.

Files rather than rows: a job says how far it is while it holds no lock, and a process that dies leaves nothing that
a store would have to repair.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from polyrag_cli.types.decoding import decoded
from polyrag_cli.whole_file import replacing

# How often a job says how far it is, and after how long a silent one of another machine counts as gone.
_EVERY_S = 0.25
_SILENT_S = 120.0
_numbers = itertools.count()

Update = Callable[[int, int, str, int], None]
"""Called with files done, files in all, the current document's name and the chunks so far."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is going on in a data directory, in this process or another.

    kind: "ingest" or "reembed"; started, updated: Unix times in seconds; done, total: files; current: a
    document's name.
    """

    kind: str
    pid: int
    host: str
    started: float
    updated: float
    done: int = 0
    total: int = 0
    current: str = ""
    chunks: int = 0


class Jobs:
    """The jobs of one data directory. folder: where their files lie; made with the first job."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def running(self) -> tuple[Job, ...]:
        """The jobs whose process is alive, oldest first."""
        jobs = (_read(file) for file in sorted(self._folder.glob("*.json")))
        return tuple(sorted((job for job in jobs if job and _alive(job)), key=lambda job: (job.started, job.pid)))

    @contextmanager
    def tracked(self, kind: str) -> Iterator[Update]:
        """Shows a job while the block runs, and gives what to tell it how far it is.

        Where its file can't be written, the work goes on unseen.
        """
        now = time.time()
        job = Job(kind, os.getpid(), socket.gethostname(), now, now)
        file = self._folder / f"{job.pid}-{next(_numbers)}.json"
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._sweep()
        _write(file, job)
        told = time.monotonic()

        def update(done: int, total: int, current: str, chunks: int) -> None:
            nonlocal told
            if time.monotonic() - told >= _EVERY_S:
                told = time.monotonic()
                here = {"updated": time.time(), "done": done, "total": total, "current": current, "chunks": chunks}
                _write(file, replace(job, **here))  # type: ignore[arg-type]

        try:
            yield update
        finally:
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _sweep(self) -> None:
        for file in self._folder.glob("*.json"):
            job = _read(file)
            if job is None or not _alive(job):
                file.unlink(missing_ok=True)
        for left in self._folder.glob("*.tmp"):
            if time.time() - left.stat().st_mtime > _SILENT_S:
                left.unlink(missing_ok=True)


def _write(file: Path, job: Job) -> None:
    # Told anew four times a second, and nobody's after a power cut.
    with suppress(OSError), replacing(file, durable=False) as new:
        new.write_text(json.dumps(asdict(job)), encoding="utf-8")


def _read(file: Path) -> Job | None:
    try:
        return decoded(Job, json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def _alive(job: Job) -> bool:
    if job.host != socket.gethostname():
        return time.time() - job.updated < _SILENT_S
    try:
        os.kill(job.pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
