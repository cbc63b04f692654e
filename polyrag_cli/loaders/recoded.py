"""Owns copies of long files of text in UTF-8, without the characters that no text holds, made piece by piece."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TextIO

from polyrag_cli.errors import LoadError, reason
from polyrag_cli.loaders.encoding import (
    BOMS,
    SAMPLE,
    legacy_encoding,
    refuse_binary,
    removal_warnings,
    replacement_warning,
    wide_encoding,
    without_controls,
)
from polyrag_cli.stores.scratch import scratch

_BLOCK = 8 << 20
# Halves of characters that were encoded one by one.
_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")


@dataclass(frozen=True, slots=True)
class Recoded:
    """A copy, its file's encoding, and what to warn of."""

    path: Path
    encoding: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Encoding:
    """said: what a warning calls it, where that isn't its name. skipped: bytes before the text."""

    name: str
    skipped: int = 0
    said: str = ""


@contextmanager
def recoded(path: Path) -> Iterator[Recoded | None]:
    """A copy of a file, which is gone when the block ends; None where it would be the file itself, or where only the
    whole text tells how it is to be read.

    Encoding and warnings are those that reading the file in memory gives.
    Raises LoadError for binary content, or when the file can't be read.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="polyrag-text-", dir=scratch.get()) as folder:
            yield _recoded(path, Path(folder) / path.name)
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error


def _recoded(path: Path, copy: Path) -> Recoded | None:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        encoding = _encoding_of(data, path.name)
    if encoding is None:
        return None
    replaced, removed = _copy(path, copy, encoding)
    # A valid text may hold the character that stands for what can't be read.
    bad = replaced if encoding.said or encoding.name != "utf-8" or encoding.skipped else 0
    warnings = (*replacement_warning(bad, encoding.said or encoding.name), *removal_warnings(removed))
    return Recoded(copy, encoding.name, warnings) if encoding.name != "utf-8" or warnings else None


def _encoding_of(data: mmap, name: str) -> _Encoding | None:
    """What `decode` finds for the whole file; None for texts with halves of characters."""
    head = data[:SAMPLE]
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return _Encoding(encoding, len(mark))
    wide = wide_encoding(data)
    if wide:
        return _Encoding(wide)
    refuse_binary(head, name)
    if _SURROGATE.search(data):
        return None
    high, bad = _strange(data)
    if not bad:
        return _Encoding("utf-8")
    return _Encoding("utf-8", said="UTF-8") if high > 10 * bad else _Encoding(legacy_encoding(data))


def _strange(data: mmap) -> tuple[int, int]:
    """Read as UTF-8: how many characters of the beginning aren't ASCII, and how many places of the whole can't be read;
    0 for a valid text."""
    high = bad = seen = 0
    valid = True
    lenient, strict = (codecs.getincrementaldecoder("utf-8")(errors) for errors in ("replace", "strict"))
    for start in range(0, len(data), _BLOCK):
        block, last = data[start : start + _BLOCK], start + _BLOCK >= len(data)
        text = lenient.decode(block, last)
        bad += text.count("\ufffd")
        if seen < SAMPLE:
            high += sum(character > "\x7f" for character in text[: SAMPLE - seen])
            seen += len(text)
        try:
            valid = valid and strict.decode(block, last) is not None
        except UnicodeDecodeError:
            valid = False
    return high, 0 if valid else bad


def _copy(path: Path, copy: Path, encoding: _Encoding) -> tuple[int, Counter[str]]:
    """How many places couldn't be read, and which characters were left out."""
    decoder = codecs.getincrementaldecoder(encoding.name)("replace")
    replaced, removed = 0, Counter[str]()
    rest = ""
    with path.open("rb") as file, copy.open("w", encoding="utf-8", newline="") as out:
        file.seek(encoding.skipped)
        while block := file.read(_BLOCK):
            text = rest + decoder.decode(block)
            end = text.rfind("\n") + 1
            text, rest = text[:end], text[end:]
            replaced += text.count("\ufffd")
            _write(out, text, removed)
        rest += decoder.decode(b"", True)
        replaced += rest.count("\ufffd")
        _write(out, rest, removed)
    return replaced, removed


def _write(out: TextIO, text: str, removed: Counter[str]) -> None:
    # Some writers escape a quote with NUL: kept as a doubled quote before NULs are removed.
    kept, found = without_controls(text.replace('\x00"', '""'))
    removed.update(found)
    out.write(kept)
