"""The machine that a measurement ran on: its speed on a fixed loop, and this process's memory."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

_STATM = Path("/proc/self/statm")
_MB = 1024.0 * 1024.0
_SAMPLE_S = 0.02
_LOOP = 60_000


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory in MB (2^20 bytes), now and at its highest since the process began; None where not known."""

    rss_mb: float | None
    peak_mb: float | None


@dataclass(slots=True)
class PeakMemory:
    """The highest resident memory seen while some work ran, in MB; None where not known."""

    mb: float | None = None

    def look(self) -> None:
        """Takes what is resident now into account."""
        now = resident_mb()
        if now is not None:
            self.mb = now if self.mb is None else max(self.mb, now)


def resident_mb() -> float | None:
    """What of this process is in memory now, in MB; None where the system doesn't say."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return round(pages * os.sysconf("SC_PAGE_SIZE") / _MB, 1)


def memory() -> Memory:
    """This process's memory now."""
    return Memory(resident_mb(), _peak_mb())


def _peak_mb() -> float | None:
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Bytes on macOS, KiB elsewhere.
    return round(peak / (_MB if sys.platform == "darwin" else 1024.0), 1)


@contextmanager
def peak_memory() -> Iterator[PeakMemory]:
    """Watches resident memory while its block runs, every 20 ms."""
    peak = PeakMemory()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_SAMPLE_S):
            peak.look()

    peak.look()
    watcher = threading.Thread(target=watch, name="peak-memory", daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()
        peak.look()


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def reference_ms() -> float:
    """Milliseconds of a fixed loop, the median of five: when it changes between two runs, the machine did."""
    return round(median(_loop_ms() for _ in range(5)), 3)


def _loop_ms() -> float:
    started = time.perf_counter()
    total = 0
    for number in range(_LOOP):
        total = (total * 31 + number) & 0xFFFFFFFF
    return (time.perf_counter() - started) * 1000.0
