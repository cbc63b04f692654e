"""Owns HTML rendered to text: a whole page's content, or a piece of it inside Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from polyrag_cli.loaders.rendering.block_writer import BlockWriter
from polyrag_cli.loaders.rendering.clean_text import Line, joined
from polyrag_cli.loaders.rendering.html_tables import data_table, is_data
from polyrag_cli.loaders.rendering.inline import RAISED, alternative, tidy
from polyrag_cli.types import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

Marked = Callable[[Line], list[Line]]

_DROPPED = frozenset(
    (
        *("audio", "button", "canvas", "datalist", "dialog", "embed", "head", "iframe", "input", "link", "map", "meta"),
        *("noscript", "object", "script", "select", "style", "svg", "template", "textarea", "video"),
    )
)
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main"),
        *("nav", "p", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr"),
    )
)
_HEADING = re.compile(r"h[1-6]$")
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")
_SPACE = re.compile(r"[^\S\xa0]+")
_ANCHOR = re.compile(r"(?:^|\s)(?:headerlink|anchor|anchorjs-link|hash-link)(?:\s|$)")
_HIDING = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)


def render_fragment(content: str, writer: BlockWriter, places: Sequence[int], marked: Marked) -> None:
    """Writes a piece of HTML. places: the source's line of each of its lines. marked: reads a text's own marks."""
    root = parsed(content)
    if root is not None:
        render_element(root, writer, lambda line: places[min(max(line, 1), len(places)) - 1], marked)


def parsed(content: str) -> _Element | None:
    """The tree of some HTML, however broken; None when it holds nothing. Nesting that no page has is flattened."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = etree.fromstring(_encoded(content), parser)
        if root is not None and any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
            root = etree.fromstring(_encoded(_ANY_TAG.sub("\n", content)), parser)
    except etree.XMLSyntaxError:
        return None
    return root


def _encoded(content: str) -> bytes:
    return content.replace("\0", " ").encode("utf-8", "replace")


def render_element(
    root: _Element,
    writer: BlockWriter,
    place: Callable[[int], int],
    marked: Marked | None = None,
    dropped: Callable[[_Element], bool] = lambda element: False,
) -> None:
    """Writes an element's content. place: the source's line of a line of the HTML, which counts from 1. dropped: which
    elements besides those that nobody sees are left out."""
    from lxml import etree

    page = _Page(writer, place, marked)
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if _hidden(element) or dropped(element) or page.start(element):
                walk.skip_subtree()
            continue
        # What was left out, or read as a whole, was never opened.
        if page.open and page.open[-1] is element:
            page.end(element)
        if element is not root:
            page.text(element.tail or "")
    page.flush()


def _hidden(element: _Element) -> bool:
    if element.tag in _DROPPED or "hidden" in element.attrib or element.get("aria-hidden") == "true":
        return True
    if element.tag == "a" and _ANCHOR.search(element.get("class", "")):
        return len("".join(element.itertext()).strip()) <= 1
    return bool(_HIDING.search(element.get("style", "")))


@dataclass(slots=True)
class _Page:
    """What was read of the block that is open."""

    writer: BlockWriter
    place: Callable[[int], int]
    marked: Marked | None
    open: list[_Element] = field(default_factory=list)
    _lines: list[list[str]] = field(default_factory=lambda: [[]])
    _places: list[int] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _at: int = 1
    _kind: BlockKind = "paragraph"
    _level: int = 0

    def start(self, element: _Element) -> bool:
        """Reads where an element begins; True when it is read as a whole."""
        tag = element.tag
        self._at = max(self._at, element.sourceline or 0)
        if tag == "img":
            self.text(alternative(element.get("alt", "")))
        elif tag == "br":
            self._break()
        elif tag == "sup":
            self._lines[-1].append(RAISED)
        elif tag == "pre":
            self.flush()
            self._code(element)
            return True
        elif tag == "table" and is_data(element):
            self.flush()
            self._table(element)
            return True
        elif tag in ("ul", "ol", "menu", "dd"):
            self.flush()
            self.writer.open_list()
            self._numbers.append(_number(element) if tag == "ol" else -1)
            if tag == "dd":
                self.writer.item("- ")
        elif tag == "li":
            self.flush()
            self._item()
        elif isinstance(tag, str) and _HEADING.match(tag):
            self.flush()
            self._kind, self._level = "heading", int(tag[1])
        elif tag in _BLOCKS:
            self.flush()
        self.open.append(element)
        self.text(element.text or "")
        return False

    def end(self, element: _Element) -> None:
        """Reads where an element ends."""
        self.open.pop()
        tag = element.tag
        if tag in ("ul", "ol", "menu", "dd"):
            self.flush()
            self.writer.close_list()
            self._numbers.pop()
        elif tag in _BLOCKS or tag == "li" or (isinstance(tag, str) and _HEADING.match(tag)):
            self.flush()
            self._kind, self._level = "paragraph", 0

    def text(self, text: str) -> None:
        """Adds to the block."""
        if text.strip():
            if not self._places:
                self._places.append(self._at + text[: len(text) - len(text.lstrip())].count("\n"))
            self._lines[-1].append(_SPACE.sub(" ", text))
        elif text and self._lines[-1]:
            self._lines[-1].append(" ")
        self._at += text.count("\n")

    def flush(self) -> None:
        """Ends the block."""
        if self._places:
            raw = [
                Line(tidy("".join(parts)), self.place(at))
                for parts, at in zip(self._lines, self._filled(), strict=True)
            ]
            raw = [line for line in raw if line.text]
            lines = [made for line in raw for made in self.marked(line)] if self.marked else raw
            if self._kind == "heading":
                self.writer.add("heading", [Line(joined(lines), lines[0].source)] if lines else [], self._level)
            else:
                self.writer.add(self._kind, lines)
        self._lines, self._places = [[]], []

    def _filled(self) -> list[int]:
        return self._places + [self._places[-1]] * (len(self._lines) - len(self._places))

    def _break(self) -> None:
        if self._places:
            self._places += [self._places[-1]] * (len(self._lines) - len(self._places)) + [self._at]
            self._lines.append([])

    def _item(self) -> None:
        number = self._numbers[-1] if self._numbers else -1
        if not self._numbers:
            # An item that no list holds.
            self.writer.add("paragraph", [])
            return
        self.writer.item("- " if number < 0 else f"{number}. ")
        if number >= 0:
            self._numbers[-1] += 1

    def _code(self, element: _Element) -> None:
        for found in list(element.iter("br")):
            found.tail = "\n" + (found.tail or "")
        lines = "".join(element.itertext()).strip("\n").split("\n")
        at = element.sourceline or self._at
        self.writer.add("code", [Line(text, self.place(at + number)) for number, text in enumerate(lines)])

    def _table(self, element: _Element) -> None:
        for caption in element.iter("caption"):
            self.writer.add("paragraph", [Line(" ".join("".join(caption.itertext()).split()), self.place(self._at))])
        found = data_table(element)
        cells = [[self._cell(cell) for cell in row.cells] for row in found.rows]
        self.writer.add_table(cells, [self.place(row.line) for row in found.rows], found.has_header)

    def _cell(self, text: str) -> str:
        if self.marked is None:
            return tidy(text)
        return joined(self.marked(Line(tidy(text), 0)))


def _number(element: _Element) -> int:
    start = element.get("start", "1")
    return int(start) if re.fullmatch(r"\d{1,9}", start) else 1
