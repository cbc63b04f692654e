"""Owns the writer lock of a data directory."""

from __future__ import annotations

import datetime
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from polyrag_cli.errors import LockTimeout
from polyrag_cli.stores.faults import store_errors


class WriterLock:
    """An operating-system file lock, freed by the system when its holder dies; a file beside it says who holds it.

    One holder at a time, threads of this process included; not re-entrant.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._owner = path.with_name(path.name + ".owner")
        self._threads = threading.Lock()

    @contextmanager
    def held(self, timeout_s: float, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
        """Holds the lock for the block.

        timeout_s: how long to wait for another holder. on_wait: told once who is waited for, when anybody is.
        Raises LockTimeout when the other holder keeps it, StoreError when the lock file can't be written.
        """
        from filelock import FileLock, Timeout

        deadline = time.monotonic() + timeout_s
        with store_errors(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Where no file can be made, the lock would seem to be somebody else's until the time is up.
            self._path.open("ab").close()
        lock = FileLock(self._path, thread_local=False)
        if not self._threads.acquire(blocking=False):
            self._tell(on_wait)
            if not self._threads.acquire(timeout=max(0.0, timeout_s)):
                raise self._timeout(timeout_s)
        try:
            with store_errors(self._path):
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    self._tell(on_wait)
                    try:
                        lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=0.02)
                    except Timeout:
                        raise self._timeout(timeout_s) from None
            try:
                self._sign()
                yield
            finally:
                with suppress(OSError):
                    self._owner.unlink(missing_ok=True)
                lock.release()
        finally:
            self._threads.release()

    def holder(self) -> str:
        """Who holds the lock, in words; "another process" when nobody signed."""
        try:
            owner = json.loads(self._owner.read_text(encoding="utf-8"))
            since = datetime.datetime.fromtimestamp(owner["started"]).strftime("%H:%M:%S")
            return f"process {owner['pid']} on {owner['host']} (since {since})"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"

    def _sign(self) -> None:
        # The signature serves a message only: a full disk must not keep anybody from the lock.
        import socket

        with suppress(OSError):
            owner = {"pid": os.getpid(), "host": socket.gethostname(), "started": time.time()}
            self._owner.write_text(json.dumps(owner), encoding="utf-8")

    def _tell(self, on_wait: Callable[[str], None] | None) -> None:
        if on_wait is not None:
            on_wait(f"Waiting for {self.holder()}, which is writing to {self._path.parent}.")

    def _timeout(self, timeout_s: float) -> LockTimeout:
        return LockTimeout(
            f"{self._path.parent} is being written by {self.holder()}; gave up after {timeout_s:g} s.",
            "Wait for it to finish, or stop it.",
        )
