"""Owns the text that becomes of a marked-up source: its blocks and tables, and the source's line behind each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from polyrag_cli.types import Block, BlockKind, LoadedDocument, RawTable

_BREAKS = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of clean text; `source` is the line of the source where it begins, from 0."""

    text: str
    source: int


def joined(lines: Iterable[Line]) -> str:
    """The texts of some lines on one line."""
    return " ".join(" ".join(line.text for line in lines).split())


@dataclass(slots=True)
class CleanText:
    """Collects blocks in their order, a blank line between any two. name: names the tables under no heading."""

    name: str
    _parts: list[str] = field(default_factory=list)
    _blocks: list[Block] = field(default_factory=list)
    _tables: list[tuple[Block, RawTable]] = field(default_factory=list)
    _pairs: list[tuple[int, int]] = field(default_factory=list)
    _size: int = 0
    _line: int = 0

    def add(self, kind: BlockKind, lines: Sequence[Line], level: int = 0) -> Block | None:
        """Adds a block; None when its lines hold nothing."""
        lines = _kept(lines)
        if not lines:
            return None
        if self._parts:
            self._write("\n\n")
        start = self._size
        for number, line in enumerate(lines):
            if number:
                self._write("\n")
            self._place(line.source)
            self._write(_BREAKS.sub(" ", line.text))
        block = Block(kind, start, self._size, level)
        self._blocks.append(block)
        return block

    def add_table(self, rows: Sequence[Sequence[str]], sources: Sequence[int], has_header: bool = True) -> None:
        """Adds a table as rows between pipes. sources: the source's line of each row. has_header: whether the first
        row names the columns."""
        cells = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
        if not cells or not any(any(row) for row in cells):
            return
        block = self.add("table", [Line(_row(row), source) for row, source in zip(cells, sources, strict=True)])
        if block is not None:
            self._tables.append((block, RawTable(self.name, tuple(cells), has_header)))

    def document(self, title: str = "", warnings: tuple[str, ...] = ()) -> LoadedDocument:
        """What was collected. title: the document's; without one its headings are asked."""
        text = "".join(self._parts)
        title = title or heading_title(text, self._blocks)
        tables = tuple(self._named(text, title))
        return LoadedDocument(
            text, tuple(self._blocks), tables, title, warnings=warnings, source_lines=tuple(self._pairs)
        )

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)
        self._line += text.count("\n")

    def _place(self, source: int) -> None:
        """Notes the line of the source, where it isn't the one that follows from the last note."""
        line, before = self._pairs[-1] if self._pairs else (0, 0)
        if before + self._line - line != source:
            self._pairs.append((self._line, source))

    def _named(self, text: str, title: str) -> Iterable[RawTable]:
        """Each table with the path of headings that it stands under, named after the nearest of them."""
        path: dict[int, str] = {}
        tables = {block.start: found for block, found in self._tables}
        for block in self._blocks:
            if block.kind == "heading":
                path = {level: heading for level, heading in path.items() if level < block.level}
                path[block.level] = text[block.start : block.end]
            elif block.start in tables:
                headings = [path[level] for level in sorted(path) if path[level] != title]
                name, heading = headings[-1] if headings else self.name, " › ".join(headings)
                yield replace(tables[block.start], name=name, heading=heading, start=block.start, end=block.end)


def heading_title(text: str, blocks: Sequence[Block]) -> str:
    """The only heading of level 1; else the only heading of the highest level, or of level 1, that opens the document;
    "" without one."""
    headings = [block for block in blocks if block.kind == "heading"]
    if not headings:
        return ""
    highest = min(block.level for block in headings)
    tops = [block for block in headings if block.level == highest]
    opens = blocks[0] == tops[0] or (blocks[0].kind == "fields" and len(blocks) > 1 and blocks[1] == tops[0])
    titled = (highest == 1 or opens) if len(tops) == 1 else (highest == 1 and opens)
    return text[tops[0].start : tops[0].end] if titled else ""


def _kept(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines without trailing white space, and without blank ones at either end."""
    cut = [Line(line.text.rstrip(), line.source) for line in lines]
    first, last = 0, len(cut)
    while first < last and not cut[first].text:
        first += 1
    while last > first and not cut[last - 1].text:
        last -= 1
    return cut[first:last]


def _row(cells: Sequence[str]) -> str:
    shown = " | ".join(cell.replace("|", "\\|") for cell in cells)
    return f"| {shown} |"
