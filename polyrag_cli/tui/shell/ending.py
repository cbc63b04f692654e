"""How the dashboard ends when a signal asks for it, whatever state its terminal is in."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
STOPPED_BY_SIGNAL = 128
"""Shells give this and the signal's number for a process that a signal ended."""
# What an orderly end may take once a signal has asked for it.
_PATIENCE_S = 5.0


class Ending:
    """Ends the application in order: a signal that ended the process would leave the terminal as it is then.

    seen: whether there is a terminal or browser to be put back. leave: ends the application with an exit code, in its
    own thread. keep: writes what is to be kept, in any.
    """

    def __init__(self, seen: Callable[[], bool], leave: Callable[[int], None], keep: Callable[[], None]) -> None:
        self._seen = seen
        self._leave = leave
        self._keep = keep
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Has signals end the application, which runs in `loop` or is about to."""
        self._loop = loop
        # Only the main thread of a process may listen to signals.
        with suppress(ValueError):
            for number in SIGNALS:
                signal.signal(number, self._stop)

    def _stop(self, number: int, _: FrameType | None) -> None:
        """Runs between any two instructions, also while drawing waits for a terminal that is gone."""
        code, loop = STOPPED_BY_SIGNAL + number, self._loop
        if loop is None or loop.is_closed():
            # All is put back; only work that can't be stopped is still waited for.
            os._exit(code)
        Thread(target=end_at_last, args=(code,), daemon=True).start()
        if self._seen():
            loop.call_soon_threadsafe(self._leave, code)
            return
        # Nothing is left to be put back, and whatever writes to it now would wait for ever.
        try:
            self._keep()
        finally:
            os._exit(code)


def end_at_last(code: int) -> None:
    """Ends the process after some seconds, whatever its threads wait for: drawing may wait for ever for a terminal that
    takes nothing any more."""
    time.sleep(_PATIENCE_S)
    os._exit(code)


def terminal_is_there() -> bool:
    """Whether the terminal that keys come from is still open."""
    try:
        termios.tcgetattr(sys.__stdin__.fileno() if sys.__stdin__ is not None else 0)
    except (termios.error, OSError, ValueError):
        return False
    return True
