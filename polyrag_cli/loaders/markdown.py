"""Markdown files: headings, paragraphs, lists, code and pipe tables with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.loaders.encoding import read_text
from polyrag_cli.types import Block, BlockKind, LoadedDocument, RawTable

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_ATX_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_LONGEST_HEADING = 400
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_DELIMITER_ROW = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT_TITLE = re.compile(r"""^title[ \t]*[:=][ \t]*(["']?)(.*?)\1[ \t]*$""", re.MULTILINE | re.IGNORECASE)
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MARKUP = (
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"<br\s*/?>", re.IGNORECASE), " "),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|~<>])"), r"\1"),
)


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        return not self.text.strip()


class MarkdownLoader:
    """Reads Markdown; the extracted text is the file's text, so every offset points into the source."""

    name = "markdown"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its blocks and tables; () when the file holds nothing.

        Raises LoadError for binary content.
        """
        decoded = read_text(path)
        if not decoded.text.strip():
            return ()
        return (parse_markdown(decoded.text, path.stem, decoded.warnings),)


def parse_markdown(text: str, name: str, warnings: tuple[str, ...] = ()) -> LoadedDocument:
    """The structure of a Markdown text; its title is the front matter's, else the only level-1 heading.

    name: names the tables that stand under no heading.
    """
    lines = _lines(text)
    begin, front_title = _front_matter(text, lines)
    blocks = tuple(_blocks(text, lines, begin))
    tops = [text[block.start : block.end] for block in blocks if block.kind == "heading" and block.level == 1]
    title = front_title or (plain(tops[0]) if len(tops) == 1 else "")
    return LoadedDocument(text, blocks, tuple(_tables(text, blocks, title, name)), title, warnings=warnings)


def plain(markup: str) -> str:
    """Inline Markdown without its marks, white space collapsed."""
    for pattern, replacement in _MARKUP:
        markup = pattern.sub(replacement, markup)
    return " ".join(markup.split())


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(_Line(start, line))
        start += len(line) + 1
    return lines


def _front_matter(text: str, lines: list[_Line]) -> tuple[int, str]:
    """Index of the first line after the front matter, and the title that it states."""
    fence = lines[0].text.rstrip()
    if fence not in ("---", "+++"):
        return 0, ""
    for index, line in enumerate(lines[1:200], 1):
        if line.text.rstrip() in (fence, "..." if fence == "---" else fence):
            inside = text[lines[1].start : line.start]
            if not re.match(r"\s*[\w-]+[ \t]*[:=]|\s*#|\s*$", inside):
                return 0, ""
            found = _FRONT_TITLE.search(inside)
            return index + 1, found[2].strip() if found else ""
    return 0, ""


def _blocks(text: str, lines: list[_Line], begin: int) -> Iterator[Block]:
    if begin:
        content = [line for line in lines[1 : begin - 1] if not line.blank and not _FRONT_TITLE.match(line.text)]
        if content:
            yield Block("code", content[0].start, content[-1].end)
    index = begin
    while index < len(lines):
        block, index = _next_block(text, lines, index)
        if block is not None:
            yield block


def _next_block(text: str, lines: list[_Line], index: int) -> tuple[Block | None, int]:
    """The block that begins on a line (None for blank lines, rules and comments), and the first line after it."""
    line = lines[index]
    if line.blank:
        return None, index + 1
    heading = _ATX.match(line.text)
    if heading and len(line.text) <= _LONGEST_HEADING:
        return _heading(line, heading), index + 1
    if _FENCE.match(line.text):
        return _fenced(lines, index)
    if _is_table(lines, index):
        return _span(lines, index, _table_end(lines, index), "table")
    if index + 1 < len(lines) and _is_setext(lines, index):
        level = 1 if lines[index + 1].text.strip()[0] == "=" else 2
        return Block("heading", *_trimmed(line), level=level), index + 2
    if _RULE.match(line.text):
        return None, index + 1
    if line.text.lstrip().startswith("<!--"):
        comment = _COMMENT.match(text, line.start + len(line.text) - len(line.text.lstrip()))
        if comment:
            after = next((i for i in range(index, len(lines)) if lines[i].end >= comment.end()), len(lines) - 1)
            if not text[comment.end() : lines[after].end].strip():
                return None, after + 1
    if _ITEM.match(line.text):
        return _span(lines, index, _list_end(lines, index), "list")
    if line.text.startswith(("    ", "\t")):
        return _span(lines, index, _indented_end(lines, index), "code")
    return _span(lines, index, _paragraph_end(lines, index), "paragraph")


def _heading(line: _Line, heading: re.Match[str]) -> Block | None:
    content = line.text[heading.end() :]
    inner = _ATX_CLOSING.sub("", content.rstrip()).rstrip()
    if not inner.strip():
        return None
    start = line.start + heading.end() + len(inner) - len(inner.lstrip())
    return Block("heading", start, line.start + heading.end() + len(inner), level=len(heading[1]))


def _is_setext(lines: list[_Line], index: int) -> bool:
    line = lines[index]
    if _ITEM.match(line.text) or line.text.startswith("    ") or line.text.lstrip().startswith((">", "|")):
        return False
    short = len(line.text) <= _LONGEST_HEADING
    return short and _SETEXT.match(lines[index + 1].text) is not None and not _RULE.match(line.text)


def _trimmed(line: _Line) -> tuple[int, int]:
    return line.start + len(line.text) - len(line.text.lstrip()), line.start + len(line.text.rstrip())


def _span(lines: list[_Line], first: int, after: int, kind: BlockKind) -> tuple[Block, int]:
    last = after - 1
    while last > first and lines[last].blank:
        last -= 1
    return Block(kind, lines[first].start, lines[last].start + len(lines[last].text.rstrip())), after


def _fenced(lines: list[_Line], index: int) -> tuple[Block, int]:
    fence = _FENCE.match(lines[index].text)
    mark = fence[1] if fence else "```"
    closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    after = next((i + 1 for i in range(index + 1, len(lines)) if closing.match(lines[i].text)), len(lines))
    return _span(lines, index, after, "code")


def _starts_block(lines: list[_Line], index: int) -> bool:
    """Whether a line ends the paragraph before it."""
    text = lines[index].text
    return bool(
        _ATX.match(text) or _FENCE.match(text) or _RULE.match(text) or _ITEM.match(text) or _is_table(lines, index)
    )


def _paragraph_end(lines: list[_Line], index: int) -> int:
    after = index + 1
    while after < len(lines) and not lines[after].blank and not _starts_block(lines, after):
        after += 1
    return after


def _list_end(lines: list[_Line], index: int) -> int:
    """The first line that is no item, no continuation of one, and not blank between two of them."""
    after = index + 1
    while after < len(lines):
        text = lines[after].text
        if lines[after].blank:
            following = next((i for i in range(after, min(after + 3, len(lines))) if not lines[i].blank), None)
            if following is None or not (_ITEM.match(lines[following].text) or lines[following].text.startswith("  ")):
                return after
        elif _RULE.match(text) or (not text.startswith(" ") and not _ITEM.match(text) and _starts_block(lines, after)):
            return after
        after += 1
    return after


def _indented_end(lines: list[_Line], index: int) -> int:
    after = index + 1
    while after < len(lines) and (lines[after].blank or lines[after].text.startswith(("    ", "\t"))):
        after += 1
    return after


# ---------------------------------------------------------------- tables
def _is_table(lines: list[_Line], index: int) -> bool:
    if index + 1 >= len(lines) or not all("|" in line.text for line in lines[index : index + 2]):
        return False
    if not _DELIMITER_ROW.match(lines[index + 1].text):
        return False
    return len(_cells(lines[index].text)) == len(_cells(lines[index + 1].text))


def _table_end(lines: list[_Line], index: int) -> int:
    after = index + 2
    while after < len(lines) and "|" in lines[after].text and not _ATX.match(lines[after].text):
        after += 1
    return after


def _cells(line: str) -> list[str]:
    line = line.strip()
    line = line.removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [plain(cell) for cell in _CELL_BORDER.split(line)]


def _tables(text: str, blocks: tuple[Block, ...], title: str, name: str) -> Iterator[RawTable]:
    """Each table with the path of headings that it stands under; it is named after the nearest of them."""
    path: dict[int, str] = {}
    for block in blocks:
        content = text[block.start : block.end]
        if block.kind == "heading":
            path = {level: heading for level, heading in path.items() if level < block.level}
            path[block.level] = plain(content)
        elif block.kind == "table":
            yield _raw_table(content, block, [path[level] for level in sorted(path) if path[level] != title], name)


def _raw_table(content: str, block: Block, headings: list[str], name: str) -> RawTable:
    lines = content.split("\n")
    header = _cells(lines[0])
    rows = [header]
    for line in lines[2:]:
        cells = _cells(line)
        # A pipe too many belongs to the last cell; a missing one is an empty cell.
        if len(cells) > len(header):
            cells = [*cells[: len(header) - 1], " | ".join(cells[len(header) - 1 :])]
        rows.append(cells + [""] * (len(header) - len(cells)))
    return RawTable(
        headings[-1] if headings else name,
        tuple(tuple(row) for row in rows),
        heading=" › ".join(headings),
        start=block.start,
        end=block.end,
    )
