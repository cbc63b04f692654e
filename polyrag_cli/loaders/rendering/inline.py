"""Owns what stands inside a paragraph: Markdown's inline marks and tags to the words that people read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from polyrag_cli.loaders.rendering.clean_text import Line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# An inline parser is at worst quadratic: longer paragraphs are parsed in pieces.
_PIECE = 4_000
# What holds more of these signs than prose ever does is taken as it is.
_MOST_BRACKETS, _MOST_EMPHASES = 200, 800
_DEEPEST = 100
_ATTRIBUTE = r"(?:[#.][\w:-]+|[\w:-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s\"'{}]+))"
_ATTRIBUTES = re.compile(
    rf"(?<![\w^_\\$])[ \t]{{0,8}}\{{:?[ \t]*{_ATTRIBUTE}(?:[ \t]{{1,8}}{_ATTRIBUTE}){{0,20}}[ \t]{{0,8}}\}}"
)
_IMAGE_NAME = re.compile(r"[^\n]*\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico)$", re.IGNORECASE)
_IMAGE_SIZE = re.compile(r"\|\d+(?:x\d+)?$")
_MARKS = (
    (_ATTRIBUTES, ""),
    # Footnotes' references, and anchors of blocks.
    (re.compile(r"[ \t]?\[\^[^\]\s]{1,60}\]"), ""),
    (re.compile(r"[ \t]\^[\w-]{1,40}$", re.MULTILINE), ""),
    # Links whose target is none: white space in it, a reference that nothing defines.
    (re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\n]{0,600}\)"), r"\1"),
    (re.compile(r"(?<!\w)!?\[([^\[\]]{1,300})\][ ]?\[[^\[\]]{0,200}\]"), r"\1"),
    (re.compile(r"(?<![\w:]):[a-zA-Z][\w+-]{1,60}:(?![\w:])"), ""),
    # Emphasis that the grammar doesn't see beside letters without spaces, and marks of other dialects.
    (re.compile(r"(\*\*|==|\+\+|\^\^)(?=[^\s=+^*])([^\n]{1,500}?)(?<=[^\s=+^*])\1"), r"\2"),
    (re.compile(r"\{(?:\+\+|--|==|>>)([^{}\n]{1,500}?)(?:\+\+|--|==|<<)\}"), r"\1"),
)
# A role before what it marks, as in {ref}`name` or :ref:`name <target>`.
_ROLE = re.compile(r"(?:\{[\w:-]{1,40}\}|(?<!\w):[\w:-]{1,40}:)\x01(\d+)\x02")
_TARGET = re.compile(r"(?<=\S)\s+<[^<>]+>$")
_HEADING_ATTRIBUTES = re.compile(r"[ \t]+\{:?[ \t]*[#.\w\"'-][^{}\n]{0,200}[ \t]\}$")
_SPACES = re.compile(r"[ \t\xa0]{2,}|\xa0")
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_TAG = re.compile(r"</?([a-zA-Z][\w.:-]*)")
_RAISED = re.compile(r"\^\x00([-+−]?\d)?")
_LANGUAGE = re.compile(r"#!\w+[ \t]+(?=\S)")
_FORMULA = re.compile(r"(\${1,2})(?=\S)([^$]{1,600}?)(?<=\S)\1(?!\d)")
# In a paragraph's text while its marks are taken off: what is kept as it is, by number, and a break inside a line.
_KEPT, _BROKEN = re.compile("\x01(\\d+)\x02"), "\x03"
# And where a mark stood.
_MARKED = "\x04"
_SIGNS = str.maketrans("", "", "\x00\x01\x02\x03\x04")
# Stands behind the sign of what is raised until what follows is known.
RAISED = "^\x00"


def parser() -> MarkdownIt:
    """A parser of CommonMark with tables and wiki links, which leaves inline content to `lines_of`."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    made.disable("inline")
    made.inline.ruler.before("link", "wiki_link", _wiki_link)
    made.inline.ruler.before("escape", "formula", _formula)
    made.inline.ruler.before("emphasis", "product", _product)
    return made


def inline_lines(made: MarkdownIt, content: str, env: dict[str, Any], sources: Sequence[int]) -> list[Line]:
    """A paragraph's content as lines. sources: the source's line of each of its lines."""
    kept: list[str] = []
    parts: list[str] = []
    for piece in _pieces(content.translate(_SIGNS)):
        parts += _texts(_parsed(made, piece, env), kept) if _is_prose(piece) else (piece,)
    text = "".join(parts)
    text = _ROLE.sub(lambda found: _TARGET.sub("", kept[int(found[1])]), text)
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    text = text.replace(_MARKED, "")
    lines: list[Line] = []
    for number, line in enumerate(text.split("\n")):
        source = sources[min(number, len(sources) - 1)]
        for part in line.split(_BROKEN):
            lines.append(Line(tidy(_KEPT.sub(lambda found: kept[int(found[1])], part)), source))
    return lines


def _is_prose(piece: str) -> bool:
    return piece.count("[") <= _MOST_BRACKETS and sum(map(piece.count, "*_~")) <= _MOST_EMPHASES


def _parsed(made: MarkdownIt, piece: str, env: dict[str, Any]) -> list[Token]:
    tokens: list[Token] = []
    made.inline.parse(piece, made, env, tokens)
    return tokens


def heading_text(content: str) -> str:
    """A heading's content without the attributes behind it."""
    return _HEADING_ATTRIBUTES.sub("", content)


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


def _texts(tokens: Iterable[Token], kept: list[str]) -> Iterator[str]:
    """The tokens' texts. kept: takes those that hold no marks."""
    before = ""
    for token in tokens:
        behind, before = before, token.content if token.type == "text" else ""
        if token.type == "text":
            yield token.content
        elif token.type in ("code_inline", "text_special"):
            kept.append(_LANGUAGE.sub("", token.content.replace("\n", " ")))
            yield f"\x01{len(kept) - 1}\x02"
        elif token.type == "formula":
            # Its lines are the source's.
            for number, line in enumerate(token.content.split("\n")):
                kept.append(line)
                yield ("\n" if number else "") + f"\x01{len(kept) - 1}\x02"
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif token.type == "image":
            yield alternative("".join(_texts(token.children or (), kept)).replace(_MARKED, "")) + _MARKED
        elif token.type == "html_inline":
            # List<String>: a parameter of a type stands at its word, and is no tag.
            yield token.content if behind[-1:].isalnum() and not _is_html(token.content) else _tag(token.content)
        else:
            yield _MARKED


def _is_html(markup: str) -> bool:
    from lxml.html import defs

    found = _TAG.match(markup)
    return found is None or found[1].lower() in defs.tags


def _tag(markup: str) -> str:
    found = _TAG.match(markup)
    name = found[1].lower() if found else ""
    # A tag may take several lines.
    shown = "\n" * markup.count("\n")
    if name == "br":
        return _BROKEN + shown
    if name == "sup" and not markup.startswith("</"):
        return RAISED + shown
    return alternative(_attribute(markup, "alt")) + shown if name == "img" else shown


def _attribute(tag: str, name: str) -> str:
    from html import unescape

    found = re.search(rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)')""", tag, re.IGNORECASE)
    return unescape(found[1] or found[2] or "") if found else ""


def _formula(state: StateInline, silent: bool) -> bool:
    """$…$ with a sign of mathematics in it, which is no emphasis."""
    if state.src[state.pos] != "$":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None or not set("\\_^{=") & set(found[2]) or state.src[state.pos - 1 : state.pos].isalnum():
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = found[0]
    state.pos = found.end()
    return True


def _product(state: StateInline, silent: bool) -> bool:
    """2*3: no emphasis begins or ends between figures."""
    before, after = state.src[state.pos - 1 : state.pos], state.src[state.pos + 1 : state.pos + 2]
    if state.src[state.pos] != "*" or not (before.isdigit() and after.isdigit()):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


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
