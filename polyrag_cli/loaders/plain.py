"""Plain text files: paragraphs, and headings where they are evident."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from polyrag_cli.loaders.encoding import read_text
from polyrag_cli.text.spans import trimmed
from polyrag_cli.types import Block, LoadedDocument

_LONGEST_HEADING = 80
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,}|\*{3,})[ \t]*$")
_NUMBERED = re.compile(r"[ \t]*((?:\d{1,2}\.)*\d{1,2})[.)]?[ \t]+(?=[^\W\d_])")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣–]|\d{1,3}[.)]|[a-z][.)])[ \t]+\S")
# Where lines are this long, each is a paragraph of its own, not a wrapped piece of one.
_UNWRAPPED = 160


class PlainTextLoader:
    """Reads plain text; the extracted text is the file's text, so every offset points into the source."""

    name = "text"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its blocks; () when the file holds nothing.

        Raises LoadError for binary content.
        """
        decoded = read_text(path)
        if not decoded.text.strip():
            return ()
        return (parse_plain(decoded.text, decoded.warnings),)


def parse_plain(text: str, warnings: tuple[str, ...] = ()) -> LoadedDocument:
    """The structure of a plain text; a heading that opens it and is its only one of level 1 is its title."""
    blocks = tuple(block for start, end in _groups(text) for block in _group_blocks(text, start, end))
    tops = [block for block in blocks if block.kind == "heading" and block.level == 1]
    title = text[tops[0].start : tops[0].end] if len(tops) == 1 and tops[0] == blocks[0] else ""
    return LoadedDocument(text, blocks, title=" ".join(title.split()), warnings=warnings)


def paragraphs(text: str) -> tuple[Block, ...]:
    """Paragraphs alone, cut at blank lines."""
    return tuple(Block("paragraph", start, end) for start, end in _groups(text))


def _groups(text: str) -> Iterator[tuple[int, int]]:
    """Spans of lines between blank lines, outer white space off."""
    position = 0
    for border in re.finditer(r"\n[ \t]*(?:\n[ \t]*)+", text):
        if text[position : border.start()].strip():
            yield trimmed(text, position, border.start())
        position = border.end()
    if text[position:].strip():
        yield trimmed(text, position, len(text))


def _group_blocks(text: str, start: int, end: int) -> Iterator[Block]:
    """The blocks of one group of lines: an underlined or lone heading, list items, paragraphs."""
    first_end = text.find("\n", start, end)
    if first_end < 0:
        level = _heading_level(text[start:end])
        yield Block("heading", start, end, level) if level else _body(text, start, end)
        return
    second_end = text.find("\n", first_end + 1, end)
    second_end = end if second_end < 0 else second_end
    first, second = text[start:first_end], text[first_end + 1 : second_end]
    underline = _UNDERLINE.match(second)
    if underline and len(first) <= _LONGEST_HEADING:
        yield Block("heading", *trimmed(text, start, first_end), 1 if underline[1][0] == "=" else 2)
        start = second_end
    elif _is_capitals(first) and not _is_capitals(second):
        yield Block("heading", *trimmed(text, start, first_end), 2)
        start = first_end
    if text[start:end].strip():
        yield from _bodies(text, *trimmed(text, start, end))


def _bodies(text: str, start: int, end: int) -> Iterator[Block]:
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", text[start:end])]
    lengths = sorted(stop - begin for begin, stop in lines)
    if len(lines) > 1 and lengths[len(lengths) // 2] > _UNWRAPPED:
        for begin, stop in lines:
            if text[start + begin : start + stop].strip():
                yield _body(text, *trimmed(text, start + begin, start + stop))
        return
    items = [start + begin for begin, stop in lines if _ITEM.match(text, start + begin, start + stop)]
    if items and items[0] > start:
        yield Block("paragraph", *trimmed(text, start, items[0]))
        start = items[0]
    yield _body(text, start, end)


def _body(text: str, start: int, end: int) -> Block:
    return Block("list" if _ITEM.match(text, start, end) else "paragraph", start, end)


def _heading_level(line: str) -> int:
    """1–6 for a lone line that reads as a heading, 0 for a paragraph."""
    line = line.strip()
    if len(line) > _LONGEST_HEADING or line[-1] in ".,;:!?":
        return 0
    if _is_capitals(line):
        return 2
    numbered = _NUMBERED.match(line)
    if numbered and line[numbered.end()].isupper() and len(line.split()) <= 10:
        return min(6, 2 + numbered[1].count("."))
    return 0


def _is_capitals(line: str) -> bool:
    letters = [character for character in line if character.isalpha()]
    cased = [character for character in letters if character.lower() != character.upper()]
    short = len(line.strip()) <= _LONGEST_HEADING and line.strip()[-1:] not in (".", ",", ";")
    return short and len(letters) >= 4 and len(cased) == len(letters) and all(map(str.isupper, letters))
