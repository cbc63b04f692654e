"""Owns what stands inside a paragraph: Markdown's inline marks and tags to the words that people read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from polyrag_cli.loaders.rendering.clean_text import Line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# An inline parser is at worst quadratic: longer paragraphs are parsed in pieces.
_PIECE = 4_000
_DEEPEST = 100
_ATTRIBUTE = r"(?:[#.][\w:-]+|[\w:-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s\"'{}]+))"
_ATTRIBUTES = re.compile(rf"[ \t]*\{{:?[ \t]*{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE}){{0,20}}[ \t]*\}}")
_IMAGE_NAME = re.compile(r"[^\n]*\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico)$", re.IGNORECASE)
_IMAGE_SIZE = re.compile(r"\|\d+(?:x\d+)?$")
_MARKS = (
    (_ATTRIBUTES, ""),
    # Footnotes' references, and anchors of blocks.
    (re.compile(r"[ \t]?\[\^[^\]\s]{1,60}\]"), ""),
    (re.compile(r"[ \t]\^[\w-]{1,40}$", re.MULTILINE), ""),
    # Links whose target is none: white space in it, a reference that nothing defines.
    (re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,600}\)"), r"\1"),
    (re.compile(r"(?<!\w)!?\[([^\[\]\n]{1,300})\][ ]?\[[^\[\]\n]{0,200}\]"), r"\1"),
    (re.compile(r"(?<![\w:]):[a-zA-Z][\w+-]{1,60}:(?![\w:])"), ""),
    # Emphasis that the grammar doesn't see beside letters without spaces, and marks of other dialects.
    (re.compile(r"(\*\*|==|\+\+|\^\^)(?=[^\s=+^*])([^\n]{1,500}?)(?<=[^\s=+^*])\1"), r"\2"),
    (re.compile(r"\{(?:\+\+|--|==|>>)([^{}\n]{1,500}?)(?:\+\+|--|==|<<)\}"), r"\1"),
)
# A role before what it marks, as in {ref}`name`.
_ROLE = re.compile(r"(?:\{[\w:-]{1,40}\}|:[\w:-]{1,40}:)$")
_SPACES = re.compile(r"[ \t\xa0]{2,}|\xa0")
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_TAG = re.compile(r"</?([a-zA-Z][\w.:-]*)")
_RAISED = re.compile(r"\^\x00([-+−]?\d)?")
# Stands behind the sign of what is raised until what follows is known.
RAISED = "^\x00"


def parser() -> MarkdownIt:
    """A parser of CommonMark with tables and wiki links, which leaves inline content to `lines_of`."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    made.disable("inline")
    made.inline.ruler.before("link", "wiki_link", _wiki_link)
    return made


def inline_lines(made: MarkdownIt, content: str, env: dict[str, Any], sources: Sequence[int]) -> list[Line]:
    """A paragraph's content as lines. sources: the source's line of each of its lines."""
    lines: list[list[str]] = [[]]
    places, at = [sources[0]], 0
    for piece in _pieces(content):
        tokens: list[Token] = []
        made.inline.parse(piece, made, env, tokens)
        for text, broken in _texts(tokens):
            if broken:
                at += broken == 1
                lines.append([])
                places.append(sources[min(at, len(sources) - 1)])
            else:
                lines[-1].append(text)
    return [Line(tidy("".join(parts)), place) for parts, place in zip(lines, places, strict=True)]


def tidy(text: str) -> str:
    """A line of prose with single spaces, and what is raised told from what stands beside it."""
    return _SPACES.sub(" ", _RAISED.sub(_raised, _UNSEEN.sub("", text))).strip()


def _raised(sign: re.Match[str]) -> str:
    return f"^{sign[1]}" if sign[1] else ""


def alternative(text: str) -> str:
    """What stands for an image, unless it only names a file."""
    text = _IMAGE_SIZE.sub("", " ".join(text.split()))
    return "" if _IMAGE_NAME.match(text) else text


def _pieces(content: str) -> Iterable[str]:
    """The content, cut at white space where it is long."""
    at = 0
    while len(content) - at > _PIECE:
        cut = max(content.rfind(space, at + _PIECE // 2, at + _PIECE) for space in ("\n", " ")) + 1
        cut = cut if cut > at else at + _PIECE
        yield content[at:cut]
        at = cut
    yield content[at:]


def _texts(tokens: Iterable[Token]) -> Iterable[tuple[str, int]]:
    """Each text with 0; a break of the source's line as ("", 1), one inside a line as ("", 2)."""
    run: list[str] = []
    for token in tokens:
        if token.type == "text":
            run.append(token.content)
            continue
        if run:
            yield _unmarked("".join(run), token.type == "code_inline"), 0
            run = []
        if token.type == "text_special":
            # An escaped sign or an entity is no mark.
            yield token.content, 0
        elif token.type == "code_inline":
            yield token.content.replace("\n", " "), 0
        elif token.type in ("softbreak", "hardbreak"):
            yield "", 1
        elif token.type == "image":
            yield alternative(_unmarked(token.content, False)), 0
        elif token.type == "html_inline":
            yield from _tag(token.content)
    if run:
        yield _unmarked("".join(run), False), 0


def _tag(markup: str) -> Iterable[tuple[str, int]]:
    found = _TAG.match(markup)
    name = found[1].lower() if found else ""
    if name == "br":
        yield "", 2
    elif name == "sup" and not markup.startswith("</"):
        yield RAISED, 0
    elif name == "img":
        yield alternative(_attribute(markup, "alt")), 0
    # A tag of several lines.
    for _ in range(markup.count("\n")):
        yield "", 1


def _attribute(tag: str, name: str) -> str:
    from html import unescape

    found = re.search(rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)')""", tag, re.IGNORECASE)
    return unescape(found[1] or found[2] or "") if found else ""


def _unmarked(text: str, before_code: bool) -> str:
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return _ROLE.sub("", text) if before_code else text


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """[[Note]], [[Note#Part]] and [[Note|shown]]; ![[Note]] and ![[picture.png]]."""
    start = state.pos
    embedded = state.src.startswith("![[", start)
    if not embedded and not state.src.startswith("[[", start):
        return False
    inside = start + 2 + embedded
    end = state.src.find("]]", inside, min(inside + 400, state.posMax))
    target = state.src[inside:end] if end > inside else ""
    if not target.strip() or target[0].isspace() or set("[]\n") & set(target) or state.src[end + 2 : end + 3] == "(":
        return False
    if not silent:
        token = state.push("text", "", 0)
        token.content = _shown_link(target, embedded)
    state.pos = end + 2
    return True


def _shown_link(target: str, embedded: bool) -> str:
    note, _, shown = target.replace("\\|", "|").partition("|")
    if embedded:
        return "" if _IMAGE_NAME.match(note) else note.partition("#")[0]
    if shown.strip():
        return shown.strip()
    name, _, part = note.partition("#")
    return " › ".join(filter(None, (name.strip(), part.strip().lstrip("^"))))


@cache
def _plain_parser() -> MarkdownIt:
    return parser()


def plain(markup: str) -> str:
    """Inline Markdown without its marks, on one line."""
    lines = inline_lines(_plain_parser(), markup, {}, (0,))
    return " ".join(" ".join(line.text for line in lines).split())
