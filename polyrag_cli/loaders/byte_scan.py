"""Owns one look at all bytes of a long file of text: what in them another reader might take for something else."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.errors import LoadError, reason

_BLOCK = 16 << 20
# Longest of what is looked for, less one: it may lie across two blocks.
_OVERLAP = 3
_EMPTY_LINES = (b"\n\n", b"\n\r\n")
_REMOVED = bytes(set(range(9)) | set(range(14, 32))) + b"\x7f"
# Control characters of two bytes, of which texts keep none or take one for a newline.
_WIDE_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
_SPACES = tuple(space.encode() for space in "\t\x0b\x0c\xa0\u1680\u202f\u205f\u3000")
_MORE_SPACES = re.compile(rb"\xe2\x80[\x80-\x8a\xa8\xa9]")


@dataclass(frozen=True, slots=True)
class ByteScan:
    """What a file holds; digest: the sha256 of its bytes, in hex.

    lines: how many line ends. plain: whether all line ends are of one kind, no line before the last is
    empty, and no character is one
    that texts don't keep. odd_spaces: whether there is white space other than spaces and line ends.
    """

    digest: str
    lines: int
    plain: bool
    odd_spaces: bool


def scanned(path: Path, delimiter: str) -> ByteScan:
    """Reads a file from its beginning to its end. delimiter: white space that is none inside cells.

    Raises LoadError when it can't be read.
    """
    digest = hashlib.sha256()
    newlines = returns = both = 0
    plain, odd_spaces, ended = True, False, False
    spaces = [space for space in _SPACES if space != delimiter.encode()]
    rest = b"\n"
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                whole = rest + block
                newlines += block.count(b"\n")
                returns += block.count(b"\r")
                both += whole.count(b"\r\n") - rest.count(b"\r\n")
                empty = min((place for line in _EMPTY_LINES if (place := whole.find(line)) >= 0), default=None)
                if ended or empty is not None:
                    # Behind the last record empty lines mean nothing.
                    ended = True
                    plain = plain and not whole[empty or 0 :].strip(b"\r\n")
                plain = plain and not _is_odd(whole, block)
                odd_spaces = odd_spaces or any(space in whole for space in spaces)
                odd_spaces = odd_spaces or _MORE_SPACES.search(whole) is not None
                rest = whole[-_OVERLAP:]
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
    uniform = (returns == 0 or returns == newlines) and both == returns
    return ByteScan(digest.hexdigest(), newlines, plain and uniform, odd_spaces)


def _is_odd(whole: bytes, block: bytes) -> bool:
    return len(block.translate(None, _REMOVED)) < len(block) or _WIDE_CONTROL.search(whole) is not None
