"""Owns one look at all bytes of a long file of text: what in them another reader might take for something else."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.errors import LoadError, reason

_BLOCK = 16 << 20
# Longest of what is looked for, less one: it may lie across two blocks.
_OVERLAP = 2
_EMPTY_LINES = (b"\n\n", b"\n\r\n")
_KEPT_CONTROLS = (b"\t", b"\x0b", b"\x0c", b"\r")
_NARROW_SPACES = (b"\t", b"\x0b", b"\x0c")
# By the byte that each begins with, which many files don't hold at all.
_WIDE_SPACES = {
    b"\xc2": re.compile(rb"\xc2\xa0"),
    b"\xe1": re.compile(rb"\xe1\x9a\x80"),
    b"\xe2": re.compile(rb"\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)"),
    b"\xe3": re.compile(rb"\xe3\x80\x80"),
}
# Control characters of two bytes, of which texts keep none or take one for a newline.
_WIDE_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")


@dataclass(frozen=True, slots=True)
class ByteScan:
    """What a file holds; digest: the sha256 of its bytes, in hex.

    lines: how many there are, up to the last that isn't empty. empty_lines: whether one of these is empty, inside a
    cell or outside. controls: whether there is a character that texts don't keep. odd_spaces: whether there is white
    space other than spaces and line ends.
    """

    digest: str
    lines: int
    empty_lines: bool
    controls: bool
    odd_spaces: bool


def scanned(path: Path, delimiter: str) -> ByteScan:
    """Reads a file from its beginning to its end. delimiter: white space that is none inside cells.

    Raises LoadError when it can't be read.
    """
    seen = _Seen(delimiter.encode())
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                seen.look(block)
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
    return ByteScan(seen.digest.hexdigest(), seen.lines, seen.empty_lines, seen.controls, seen.odd_spaces)


class _Seen:
    """What was found in the blocks so far; `lines` that end the text and are empty don't count until others follow."""

    def __init__(self, delimiter: bytes) -> None:
        self.digest = hashlib.sha256()
        self.lines = 0
        self.empty_lines = self.controls = self.odd_spaces = False
        self._spaces = [space for space in _NARROW_SPACES if space != delimiter]
        self._trailing = 0
        self._rest = b""

    def look(self, block: bytes) -> None:
        """Looks at the next block."""
        self.digest.update(block)
        border = self._rest + block[:_OVERLAP]
        newlines = block.count(b"\n")
        self._look_for_lines(border, block, newlines)
        self.controls = self.controls or _has_controls(block, newlines) or _has_wide_controls(border, block)
        self.odd_spaces = self.odd_spaces or self._has_spaces(border, block)
        self._rest = (self._rest + block)[-_OVERLAP:]

    def _look_for_lines(self, border: bytes, block: bytes, newlines: int) -> None:
        content = block.rstrip(b"\r\n")
        behind = block.count(b"\n", len(content))
        if not content:
            self._trailing += behind
            return
        parts = (border, content)
        self.empty_lines |= self._trailing > 1 or any(line in part for part in parts for line in _EMPTY_LINES)
        self.lines += self._trailing + newlines - behind + (not self.lines)
        self._trailing = behind

    def _has_spaces(self, border: bytes, block: bytes) -> bool:
        if any(space in block for space in self._spaces):
            return True
        return any(
            pattern.search(part) for part in (border, block) for first, pattern in _WIDE_SPACES.items() if first in part
        )


# ---------------------------------------------------------------- characters
def _has_controls(block: bytes, newlines: int) -> bool:
    import numpy as np

    kept = newlines + sum(block.count(control) for control in _KEPT_CONTROLS)
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) < 32)) > kept or b"\x7f" in block


def _has_wide_controls(border: bytes, block: bytes) -> bool:
    return any(b"\xc2" in part and _WIDE_CONTROL.search(part) for part in (border, block))
