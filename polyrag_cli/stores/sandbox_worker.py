"""Owns the process that statements of people and models run in: the sandbox between two pipes, limited by the kernel.

DuckDB counts the memory of its operators, not that of the texts which an expression makes on the way, and asks between
blocks of rows whether it was interrupted. Here no allocation succeeds above the limit, and the process ends in time.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.stores.duckdb_sandbox import MemoryExceeded, Sandbox

# What the sandbox itself may take, of all that the process may: the rest is for texts on their way and for the result.
_SHARE = 0.75
# The exit code of a process whose statement had too much; the database's own end is by a signal.
OUT_OF_MEMORY = 77


def serve(timeout_s: float, memory_mb: int) -> None:
    """Runs one statement for each line of standard input and writes what became of it as a line to standard output.

    timeout_s: of a statement, after which the process ends. memory_mb: what statements may add to the process.
    """
    # The kernel's timer is the one that rings.
    sandbox = Sandbox(2 * timeout_s, int(memory_mb * _SHARE), shared=False)
    # What the database needs for any statement is there before the count begins.
    sandbox.run("SELECT 1", {}, 1)
    most = _data_size() + memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        for line in sys.stdin.buffer:
            request = json.loads(line)
            signal.setitimer(signal.ITIMER_REAL, timeout_s)
            answer = json.dumps(_answer(sandbox, request)).encode()
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()
    except MemoryError:
        # Memory that is scattered about is left to no other statement: it gets a process of its own.
        os._exit(OUT_OF_MEMORY)


def _answer(sandbox: Sandbox, request: dict[str, Any]) -> dict[str, Any]:
    views = {name: Path(path) for name, path in request["views"].items()}
    try:
        rows = sandbox.run(request["sql"], views, request["max_rows"], [Path(path) for path in request["files"]])
    except MemoryExceeded as error:
        raise MemoryError from error
    except PolyRAGError as error:
        return {"error": type(error).__name__, "message": error.message, "hint": error.hint}
    return {"columns": rows.columns, "rows": rows.rows, "truncated": rows.truncated, "types": rows.types}


def _data_size() -> int:
    """Bytes of memory that this process may write to now, whether it did or not."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.partition("VmData:")[2].split()[0]) * 1024
