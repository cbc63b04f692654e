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
    # JSON escapes the other control characters by itself.
    write(re.sub("[\x7f-\x9f]", lambda match: f"\\u{ord(match[0]):04x}", text))


def write(text: str) -> None:
    """A line on stdout without control characters; those that its encoding lacks are escaped."""
    sys.stdout.buffer.write((printable(text) + "\n").encode(sys.stdout.encoding or "utf-8", "backslashreplace"))
    sys.stdout.flush()


def write_file(path: Path, text: str) -> None:
    """A text in a file, in place of what it held.

    Raises StoreError when it can't be written.
    """
    from polyrag_cli.evaluation.whole_file import write_whole

    write_whole(path, text)
