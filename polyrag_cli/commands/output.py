"""Where output goes: data on stdout, everything else on stderr; colour only on a terminal and without NO_COLOR."""

from __future__ import annotations

import codecs
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

WIDTH_PIPED = 100


def console(stderr: bool = False) -> Console:
    """A rich console on stdout or stderr; 100 columns wide where there is no terminal."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, soft_wrap=False, emoji=False, markup=False)
    if not made.is_terminal:
        made.width = WIDTH_PIPED
    return made


def emit_json(value: Any) -> None:
    """One JSON object on stdout."""
    from polyrag_cli.types import as_json

    # Where the encoding lacks a character, JSON has an escape of its own.
    unicode = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
    write(json.dumps(as_json(value), ensure_ascii=not unicode, default=str))


def write(text: str) -> None:
    """A line on stdout; characters that its encoding lacks are escaped."""
    sys.stdout.buffer.write((text + "\n").encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
    sys.stdout.flush()


def write_file(path: Path, text: str) -> None:
    """A text in a file.

    Raises StoreError when it can't be written.
    """
    from polyrag_cli.errors import StoreError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: can't be written: {error.strerror}.") from error


def bar(value: float, width: int = 16) -> str:
    """A bar of eighth blocks for a value in [0, 1]."""
    eighths = round(max(0.0, min(1.0, value)) * width * 8)
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8].strip())


def clip(text: str, width: int) -> str:
    """A text on one line of at most `width` characters, with an ellipsis where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(0, width - 1)].rstrip() + "…"


def milliseconds(ms: float) -> str:
    """A duration: 1.9 ms below ten, 21 ms below a second, 1.2 s from there."""
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:.0f} ms"
