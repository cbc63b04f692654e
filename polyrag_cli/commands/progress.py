"""One line on stderr about long work: drawn over on a terminal, now and then elsewhere, nothing when it is quick."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from polyrag_cli.display.text import clip

Tell = Callable[[str], None]
QUICK_S = 1.0
PLAIN_EVERY_S = 5.0
_CLEAR = "\r\x1b[K"


@contextmanager
def telling(name: str) -> Iterator[Tell]:
    """What to call with each new state; the line is gone when the block ends. Quiet in the first second."""
    begun = last = time.monotonic()
    terminal = sys.stderr.isatty()
    shown = False

    def tell(text: str) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if now - begun < QUICK_S or (not terminal and now - last < PLAIN_EVERY_S):
            return
        last, shown = now, True
        width = shutil.get_terminal_size().columns - 1
        line = f"{_CLEAR}{clip(f'{name}: {text}', width)}" if terminal else f"{name}: {clip(text, 200)}\n"
        sys.stderr.write(line)
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if terminal and shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
