"""A document's text with line numbers and a margin that marks a passage; only the lines in sight are drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from polyrag_cli.display.answers import lines_between
from polyrag_cli.display.text import printable
from polyrag_cli.types import LinedText

_GUTTER = 8
_PASSAGE, _QUOTED = "▎", "▶"


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line on the screen: the characters `start` to `end` of the text. number: of the line in the source, from 1,
    where it begins here, else 0."""

    number: int
    start: int
    end: int


def wrapped(text: LinedText, width: int) -> list[ShownLine]:
    """The text's lines, broken at spaces into pieces of at most `width` cells."""
    lines: list[ShownLine] = []
    at = 0
    for number, line in enumerate(text.text.split("\n")):
        for first, last in _pieces(line, width):
            lines.append(ShownLine(0 if first else text.source_line_of(number), at + first, at + last))
        at += len(line) + 1
    return lines


def _pieces(line: str, width: int) -> Iterator[tuple[int, int]]:
    start = 0
    while len(line) - start > width or cell_len(line[start : start + width]) > width:
        end = start + width
        while cell_len(line[start:end]) > width:
            end -= max(1, (cell_len(line[start:end]) - width) // 2)
        end = max(end, start + 1)
        space = line.rfind(" ", start + 1, end)
        end = space + 1 if space > start + width // 3 and end < len(line) else end
        yield start, end
        start = end
    if start < len(line) or not line:
        yield start, len(line)


class DocumentText(ScrollView, can_focus=True):
    """The text, once it is loaded. start, end: the passage; quotes: spans inside the document that are marked."""

    DEFAULT_CSS = """
    DocumentText { height: 1fr; padding: 0 1; }
    """

    def __init__(self, start: int, end: int, quotes: tuple[tuple[int, int], ...]) -> None:
        super().__init__()
        self._span = (start, end)
        self._quotes = quotes
        self._text = LinedText("")
        self._lines: list[ShownLine] = []
        self._width = 0

    def load(self, text: LinedText) -> None:
        """Shows a text, scrolled to the passage."""
        self._text = text
        self._wrap()
        # The layout must know the new height before it can be scrolled.
        self.call_after_refresh(self._go, self._first(self._quotes[0][0] if self._quotes else self._span[0]))

    @property
    def passage_lines(self) -> str:
        """The lines of the source on which the passage stands."""
        return lines_between(self._text, *self._span)

    def scroll_to_mark(self, step: int) -> None:
        """Scrolls to the next quoted place below the top of what is seen (1), or above it (-1)."""
        places = sorted({self._first(start) for start, _ in (*self._quotes, self._span)})
        top = self.scroll_offset.y + 2
        after = [y for y in places if (y > top if step > 0 else y < top)]
        if after:
            self._go(after[0] if step > 0 else after[-1])

    def render_line(self, y: int) -> Strip:
        """One line of what is seen."""
        at = y + self.scroll_offset.y
        base = self.rich_style
        if at >= len(self._lines):
            return Strip.blank(self.size.width, base)
        line = self._lines[at]
        quoted = any(_meets(line, quote) for quote in self._quotes)
        mark = _QUOTED if quoted else _PASSAGE if _meets(line, self._span) else " "
        number = f"{line.number:>5} " if line.number else " " * 6
        segments = [Segment(number, base + Style(dim=True)), Segment(f"{mark} ", base + Style(bold=True))]
        segments += [Segment(text, base + style) for text, style in self._styled(line)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_resize(self) -> None:
        if self._text.text and self.size.width != self._width:
            seen = self._lines[min(self.scroll_offset.y, len(self._lines) - 1)].start
            self._wrap()
            self.call_after_refresh(self._go, self._first(seen), 0)

    def _wrap(self) -> None:
        self._width = self.size.width
        self._lines = wrapped(self._text, max(8, self._width - _GUTTER))
        self.virtual_size = Size(self._width, len(self._lines))
        self.refresh()

    def _first(self, offset: int) -> int:
        """The shown line that holds a character."""
        return max(0, bisect_right(self._lines, offset, key=lambda line: line.start) - 1)

    def _go(self, line: int, above: int = 2) -> None:
        self.scroll_to(y=max(0, line - above), animate=False, immediate=True)

    def _styled(self, line: ShownLine) -> Iterator[tuple[str, Style]]:
        """The line's pieces: quotes bold and underlined, the rest of the passage bold, all else plain."""
        edges = {line.start, line.end}
        for start, end in (*self._quotes, self._span):
            edges |= {edge for edge in (start, end) if line.start < edge < line.end}
        cuts = sorted(edges)
        for start, end in pairwise(cuts):
            piece = printable(self._text.text[start:end]).replace("\t", " ")
            quoted = any(a <= start < b for a, b in self._quotes)
            inside = self._span[0] <= start < self._span[1]
            yield piece, Style(bold=quoted or inside, underline=quoted) if quoted or inside else Style()


def _meets(line: ShownLine, span: tuple[int, int]) -> bool:
    return line.start < span[1] and span[0] < max(line.end, line.start + 1)
