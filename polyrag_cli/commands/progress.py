"""One line on stderr about long work: drawn over on a terminal, now and then elsewhere.

No thread draws it: beside one, times that are being measured would be too long.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from polyrag_cli.display.text import bar, clip, printable

PLAIN_EVERY_S = 5.0
BAR_CELLS = 20
_PLAIN_CELLS = 200
_CLEAR = "\r\x1b[K"


class Tell(Protocol):
    """What long work calls with each new state."""

    def __call__(self, text: str = "", done: int = 0, total: int = 0) -> None:
        """text: what is being done; done, total: of what is counted, 0 where nothing is or the end isn't known."""


@contextmanager
def telling(name: str, unit: str = "") -> Iterator[Tell]:
    """What to call with each new state: a bar on a terminal, gone when the block ends; a line every 5 s elsewhere.

    name: of the work. unit: what is counted, in the plural.
    """
    begun = last = time.monotonic()
    terminal = sys.stderr.isatty()
    shown = False

    def tell(text: str = "", done: int = 0, total: int = 0) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if terminal:
            width = shutil.get_terminal_size().columns - 1
            _put(_CLEAR + _drawn(name, text, done, total, int(now - begun), width))
            shown = True
        elif now - last >= PLAIN_EVERY_S:
            last = now
            counted = f"{done:,} of {total:,} {unit}" if total else ""
            _put(clip(f"{name}: {', '.join(filter(None, (counted, text)))}", _PLAIN_CELLS) + "\n")

    try:
        yield tell
    finally:
        if shown:
            _put(_CLEAR)


def _drawn(name: str, text: str, done: int, total: int, seconds: int, width: int) -> str:
    if not total:
        return clip(f"{name}: {text}", width)
    time_taken = f"{seconds // 60}:{seconds % 60:02d}"
    head = f"{printable(name)}  {bar(done / total, BAR_CELLS):<{BAR_CELLS}}  {done:,}/{total:,}  {time_taken}  "
    return head + clip(text, width - len(head)) if len(head) < width else head[:width]


def _put(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
