"""Where output goes: data on stdout, everything else on stderr; colour only on a terminal and without NO_COLOR."""

from __future__ import annotations

import codecs
import json
import re
import sys
from typing import TYPE_CHECKING, Any

from polyrag_cli.display.text import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

WIDTH_PIPED = 100


def console(stderr: bool = False) -> Console:
    """A rich console on stdout or stderr; 100 columns wide where there is no terminal."""
    from rich.console import Console

    from polyrag_cli.commands.terminal import ControlFilter

    made = Console(stderr=stderr, highlight=False, soft_wrap=False, emoji=False, markup=False)
    if not made.is_terminal:
        made.width = WIDTH_PIPED
    made.push_render_hook(ControlFilter())
    return made


def print_wrapped(out: Console, text: str, style: str = "", indent: str = "  ", hanging: str = "    ") -> None:
    """A paragraph broken between words at a terminal's width, later lines indented deeper; one line in a pipe."""
    from rich.text import Text

    for line in wrapped(indent + printable(text), out, hanging):
        out.print(Text(line, style=style), soft_wrap=True)


def wrapped(text: str, out: Console, hanging: str = "") -> list[str]:
    """The lines of a paragraph on this console: broken between words on a terminal, whole in a pipe."""
    import textwrap

    if not out.is_terminal or len(text) <= out.width:
        return [text]
    return textwrap.wrap(text, out.width, subsequent_indent=hanging, break_on_hyphens=False)


def emit_json(value: Any) -> None:
    """One JSON object on stdout."""
    from polyrag_cli.types import as_json

    # Where the encoding lacks a character, JSON has an escape of its own.
    unicode = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
    text = json.dumps(as_json(value), ensure_ascii=not unicode, default=str)
    write(json_escaped(text))


def json_escaped(text: str) -> str:
    """JSON text with escapes in place of what `write` would drop; JSON has escaped the first 32 characters itself."""
    return re.sub("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]", lambda m: f"\\u{ord(m[0]):04x}", text)


def write(text: str, end: str = "\n") -> None:
    """A line on stdout without control characters, or with another `end`; what its encoding lacks is escaped."""
    sys.stdout.buffer.write((printable(text) + end).encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
    sys.stdout.flush()


def write_file(path: Path, text: str) -> None:
    """A text in a file, in place of what it held.

    Raises UsageError as `check_writable`, StoreError when it can't be written.
    """
    from polyrag_cli.whole_file import write_whole

    check_writable(path)
    write_whole(path, text)


def check_writable(path: Path) -> None:
    """Raises UsageError for an output that is a folder or lies in none: asked before long work, not after it."""
    from polyrag_cli.errors import UsageError

    if path.is_dir() or not path.absolute().parent.is_dir():
        what = "it is a folder" if path.is_dir() else f"{path.parent} is no folder"
        raise UsageError(f"{path}: can't be written, {what}.", "Name a file in a folder that exists.")
