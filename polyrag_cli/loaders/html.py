"""HTML files: the main content of a page as people read it, its title and what it says about itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from polyrag_cli.loaders.encoding import read_text
from polyrag_cli.loaders.rendering.block_writer import BlockWriter
from polyrag_cli.loaders.rendering.clean_text import CleanText, Line, heading_title
from polyrag_cli.loaders.rendering.html_blocks import parsed, render_element
from polyrag_cli.types import LoadedDocument

if TYPE_CHECKING:
    from lxml.etree import _Element

_AROUND = frozenset(("nav", "footer", "aside"))
_AROUND_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "dialog"))
_AROUND_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|cookies?|toc|pagination|pager|skip-link"
    r"|share|social|advert|ads|banner|masthead)(?:$|[\s_-])",
    re.IGNORECASE,
)
# Where a page doesn't say what its content is: a block is navigation when its text is links, and several.
_LINKED_SHARE, _FEWEST_LINKS = 0.8, 5
_LINK_BLOCKS = frozenset(("div", "ul", "ol", "table", "section", "header"))
_SITE = re.compile(r"\s+[|·–—»-]\s+")
_STATED = ("author", "date", "description", "keywords")
_DATES = ("article:published_time", "datepublished", "dcterms.date", "dc.date")


class HTMLLoader:
    """Reads HTML; what surrounds a page's content is left out."""

    name = "html"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its blocks and tables; () when the page shows nothing.

        Raises LoadError for binary content.
        """
        decoded = read_text(path)
        document = parse_html(decoded.text, path.stem, decoded.warnings)
        return (document,) if document.text.strip() else ()


def parse_html(text: str, name: str, warnings: tuple[str, ...] = ()) -> LoadedDocument:
    """A page as people read it; its title is the heading that stands for it, else the one that it states.

    name: names the tables that stand under no heading.
    """
    out = CleanText(name)
    root = parsed(text)
    if root is None:
        return out.document(warnings=warnings)
    out.add("fields", _fields(root))
    content = _content(root)
    dropped = _is_around(content) if content.tag in ("body", "html") else _is_navigation
    render_element(content, writer := BlockWriter(out), lambda line: max(line, 1) - 1, None, dropped)
    writer.finish()
    said = out.document(warnings=warnings)
    return said if heading_title(said.text, said.blocks) else out.document(_title(root), warnings)


def _content(root: _Element) -> _Element:
    """The element that holds a page's content: the main one, the only article, else its body."""
    for path in (".//main", ".//*[@role='main']", ".//article", ".//body"):
        found = root.findall(path)
        if len(found) == 1 or (found and path == ".//main"):
            return found[0]
    return root


def _is_navigation(element: _Element) -> bool:
    return bool(element.tag == "nav" or element.get("role") == "navigation")


def _is_around(body: _Element) -> Callable[[_Element], bool]:
    """Which elements of a body are no content."""

    def around(element: _Element) -> bool:
        if element is body or not isinstance(element.tag, str):
            return False
        if element.tag in _AROUND or element.get("role") in _AROUND_ROLES:
            return True
        named = f"{element.get('id', '')} {element.get('class', '')}"
        if element.tag in _LINK_BLOCKS and _AROUND_NAME.search(named) and not _has_heading(element):
            return True
        return element.tag in _LINK_BLOCKS and element.getparent() is body and _is_linked(element)

    return around


def _has_heading(element: _Element) -> bool:
    return any(found.tag == "h1" for found in element.iter("h1"))


def _is_linked(element: _Element) -> bool:
    links = list(element.iter("a"))
    if len(links) < _FEWEST_LINKS:
        return False
    shown = len("".join("".join(element.itertext()).split()))
    linked = sum(len("".join("".join(link.itertext()).split())) for link in links)
    return linked >= _LINKED_SHARE * max(shown, 1)


def _title(root: _Element) -> str:
    """What the page calls itself, without the name of its site."""
    for path in (".//head/title", ".//title"):
        found = root.find(path)
        if found is not None and (found.text or "").strip():
            return _SITE.split(" ".join((found.text or "").split()))[0]
    return ""


def _fields(root: _Element) -> list[Line]:
    """What the page's head says about it: author, date, description, keywords."""
    said: dict[str, Line] = {}
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or element.get("itemprop") or "").lower()
        field = "date" if name in _DATES else name.removeprefix("article:")
        value = " ".join((element.get("content") or "").split())
        if field in _STATED and value:
            said.setdefault(field, Line(f"{field}: {value}", (element.sourceline or 1) - 1))
    return list(said.values())
