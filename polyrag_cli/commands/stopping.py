"""Being told to end (SIGTERM) while temporary folders stand: they are removed first, as after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Within the block, SIGTERM is as Ctrl-C: exit code 130, and everything that was opened is closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupted(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
