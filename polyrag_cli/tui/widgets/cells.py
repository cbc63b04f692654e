"""Texts measured in terminal cells, where characters of some scripts take two."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from polyrag_cli.display.text import printable


def one_line(text: str) -> str:
    """The text on one line, without control characters."""
    return " ".join(printable(text).split())


def clipped(text: str, width: int) -> str:
    """A text on one line of at most `width` cells, with an ellipsis where it was cut."""
    line = one_line(text)
    if cell_len(line) <= width:
        return line
    return "" if width < 1 else set_cell_size(line, width - 1).rstrip() + "…"


def padded(text: str, width: int, right: bool = False) -> str:
    """A text on one line of exactly `width` cells, clipped or filled with spaces; right: aligned to the right."""
    line = clipped(text, width)
    space = " " * (width - cell_len(line))
    return space + line if right else line + space


def wrapped(text: str, width: int, lines: int) -> list[str]:
    """A text broken between words into at most `lines` lines of `width` cells, the last one clipped."""
    rest = one_line(text)
    found: list[str] = []
    while rest and len(found) < lines - 1 and cell_len(rest) > width:
        head = set_cell_size(rest, width).rstrip()
        cut = head.rfind(" ") if len(rest) > len(head) and not rest[len(head)].isspace() else len(head)
        cut = cut if cut > width // 3 else len(head)
        found.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*found, clipped(rest, width)] if rest else found


def plain(*parts: tuple[str, str] | str) -> Text:
    """A line of texts with their styles; nothing in them is read as markup."""
    line = Text(no_wrap=True, end="")
    for part in parts:
        text, style = part if isinstance(part, tuple) else (part, "")
        line.append(text, style)
    return line
