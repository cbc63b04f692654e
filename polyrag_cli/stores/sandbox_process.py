"""Owns the processes that statements of people and models run in, kept warm from one statement to the next."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.sandbox_worker import OUT_OF_MEMORY
from polyrag_cli.types import Rows

# Statements that run at once; others wait for one of them.
_AT_ONCE = 2
_START = (
    "import sys; sys.path[:] = sys.argv[3:]; from polyrag_cli.stores.sandbox_worker import serve;"
    " serve(float(sys.argv[1]), int(sys.argv[2]))"
)
_ERRORS = {error.__name__: error for error in (QueryRejected, StaleSnapshot, StoreError)}

_Process = subprocess.Popen[bytes]


class SandboxProcess:
    """Runs single SELECTs as `Sandbox` does, in processes that the kernel holds to their limits; thread-safe.

    timeout_s: a statement's time limit. memory_mb: what a statement may take, everything counted.
    """

    def __init__(self, timeout_s: float = 10.0, memory_mb: int = 512) -> None:
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._idle: list[_Process] = []
        self._running = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        weakref.finalize(self, _end, self._idle)

    def start(self) -> None:
        """Has a process ready, without waiting for it."""
        with self._lock:
            if not self._idle:
                self._idle.append(self._started())

    def run(self, sql: str, views: Mapping[str, Path], max_rows: int, files: Collection[Path] = ()) -> Rows:
        """The first `max_rows` rows of a SELECT over views of Parquet files; arguments and errors as of `Sandbox`."""
        request = {
            "sql": sql,
            "views": {name: str(path) for name, path in views.items()},
            "max_rows": max_rows,
            "files": [str(path) for path in files],
        }
        with self._running:
            answer = self._asked(json.dumps(request).encode() + b"\n")
        if "error" in answer:
            raise _ERRORS.get(answer["error"], StoreError)(answer["message"], answer["hint"])
        rows = tuple(map(tuple, answer["rows"]))
        return Rows(tuple(answer["columns"]), rows, sql, answer["truncated"], tuple(answer["types"]))

    def _asked(self, request: bytes) -> dict[str, Any]:
        process = self._taken()
        pipe_in, pipe_out = process.stdin, process.stdout
        assert pipe_in is not None and pipe_out is not None
        try:
            pipe_in.write(request)
            pipe_in.flush()
            line = pipe_out.readline()
        except BrokenPipeError:
            line = b""
        except BaseException:
            # Ctrl-C: nobody waits for this statement any more.
            process.kill()
            _close(process)
            raise
        if not line.endswith(b"\n"):
            raise self._died(process)
        with self._lock:
            self._idle.append(process)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _taken(self) -> _Process:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                _close(process)
            return self._started()

    def _died(self, process: _Process) -> StoreError:
        code = _close(process)
        if code == -signal.SIGALRM:
            return StoreError(f"The statement took longer than {self._timeout_s:g} s and was stopped.")
        if code == OUT_OF_MEMORY or code < 0:
            return StoreError(f"The statement needed more than {self._memory_mb} MB and was stopped.")
        return StoreError(
            f"The process that statements run in ended with code {code}.",
            f"Try: {sys.executable} -c 'import polyrag_cli.stores.sandbox_worker'",
        )

    def _started(self) -> _Process:
        limits = [str(self._timeout_s), str(self._memory_mb)]
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _START, *limits, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in a terminal is for this process alone, which then ends that one.
            start_new_session=True,
        )


def _close(process: _Process) -> int:
    """Waits for a process that has ended or is ending; its exit code."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue
    return process.wait()


def _end(idle: list[_Process]) -> None:
    for process in idle:
        process.kill()
        _close(process)
    idle.clear()
