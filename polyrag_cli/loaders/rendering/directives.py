"""Owns the marks that site generators and note programs add to Markdown: they are taken off line by line before it is
parsed, so that what is left is CommonMark with the words of a title or a tab."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from polyrag_cli.loaders.rendering.clean_text import Line
from polyrag_cli.loaders.rendering.dropped import Dropper

_LONGEST = 20_000
_LONGEST_TAG = 2_000
_DEEPEST_QUOTE = 20
_FENCE = re.compile(r"([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^`]*)$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_QUOTES = re.compile(rf"(?:[ \t]*>){{{_DEEPEST_QUOTE + 1},}}")
# These are matched against lines without white space around them.
_ADMONITION = re.compile(r"(?:!{3}|\?{3}\+?) ?[\w-]{0,40}(?: [\w-]{1,40}){0,8} ?(?:[\"“](.*)[\"”])?$")
_TAB = re.compile(r"={3}[!+]{0,2} {1,4}[\"“](.*)[\"”]$")
_SLASHES = re.compile(r"/{3,} {0,4}(?:([\w-]+) {0,4}(?:\|(.*))?)?$")
_COLONS = re.compile(r":{3,} {0,4}(?:\{?([\w.-]+)\}?)?(.*)$")
_CALLOUT = re.compile(r"((?:[ \t]*>)+[ \t]*)\[![^\[\]\n]{1,60}\][-+]?[ \t]*(.*)$")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,60}\]:[ \t]*(.*)$")
_ABBREVIATION = re.compile(r"\*\[([^\]\n]{1,80})\]:[ \t]*(.*)$")
_DEFINITION = re.compile(r":([ \t]{1,4})(?=\S)")
_DIRECTIVE_FENCE = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)$")
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t].*)?$|[ \t]{4,}[\w-]+:(?:[ \t].*)?$")
_BRACES = re.compile(r"\{[^{}]*\}")
_TITLE_SAID = re.compile(r"""\b(?:title|label|caption|summary)[ \t]*=[ \t]*\{?["'`]([^"'`<>{}]{1,200})["'`]""")
_COMPONENT = re.compile(r"[ \t]*(?:</?(?:[A-Z][\w.]*)?(?:[ \t][^<>]*)?/?>[ \t]*)+$")
_MARKDOWN_TAG = re.compile(r"""[ \t]*<[a-z][\w-]*[ \t][^<>]*\bmarkdown(?:=["']?[\w-]+["']?)?[^<>]*>[ \t]*$""")
_MODULE = re.compile(
    r"import[ \t]+(?:[\w*{}, \t$]+[ \t]from[ \t]+)?([\"']).{1,300}\1;?[ \t]*$"
    r"|export[ \t]+(?:const|default)[ \t].*;[ \t]*$"
)
_CONTENTS = re.compile(r"[ \t]*(?:\[TOC\]|\[\[_?TOC_?\]\]|\$\{toc\}|\{:toc\}|\{\{toc\}\})[ \t]*$", re.IGNORECASE)
_LONE_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*[#.\w][^{}\n]{0,300}\}[ \t]*$")
# Directives of docutils, in fences, whose content is prose and no code.
_PROSE = frozenset(
    (
        *("admonition", "attention", "callout", "card", "caution", "danger", "details", "div", "dropdown", "epigraph"),
        *("error", "example", "grid", "grid-item-card", "hint", "important", "info", "margin", "note", "seealso"),
        *("sidebar", "tab-item", "tab-set", "tip", "topic", "versionadded", "versionchanged", "warning"),
    )
)


@dataclass(slots=True)
class _Prepared:
    """The state of one pass: the indents that admonitions add, the fences that are open."""

    made: list[Line] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    fence: str = ""
    prose: list[str] = field(default_factory=list)
    options: bool = False
    in_list: bool = False
    dropper: Dropper = field(default_factory=Dropper)


def prepared(lines: Sequence[str], first: int = 0) -> list[Line]:
    """The lines from `first` on, as CommonMark; some are left out, and blank ones are put between blocks."""
    state = _Prepared()
    for number in range(first, len(lines)):
        for text in _read(state, lines, number):
            state.made.append(Line(text, number))
    return state.made


def _read(state: _Prepared, lines: Sequence[str], number: int) -> Iterator[str]:
    text = lines[number]
    if len(text) > _LONGEST:
        yield text
        return
    if state.fence:
        yield from _in_fence(state, _dedented(state, text, True))
        return
    if state.dropper.hides(number):
        return
    text = _dedented(state, text, False)
    if state.options:
        if _OPTION.match(text):
            return
        state.options = False
    if _is_indented_code(state, text):
        yield text
        return
    fence = _FENCE.match(text)
    if fence:
        yield from _opening(state, fence)
        return
    highlighted = state.dropper.opens_code(text)
    if highlighted:
        state.fence = highlighted
        yield from ("", "```")
        return
    text = state.dropper.without(text, lines, number)
    if not text.strip():
        yield ""
        return
    state.in_list = bool(_ITEM.match(text)) or (state.in_list and (text[0] in " \t" or _blank_before(state) is False))
    yield from _marks(state, text)


def _blank_before(state: _Prepared) -> bool:
    return not state.made or not state.made[-1].text.strip()


def _is_indented_code(state: _Prepared, text: str) -> bool:
    return (
        text.startswith(("    ", "\t"))
        and not state.in_list
        and (_blank_before(state) or state.made[-1].text.startswith(("    ", "\t")))
    )


def _dedented(state: _Prepared, text: str, in_code: bool) -> str:
    """The line without the indent of the admonitions that it is in; one that is indented less ends them."""
    if not state.bases or not text.strip():
        return text
    expanded = text.expandtabs(4) if text[0] in " \t" else text
    indent = len(expanded) - len(expanded.lstrip(" "))
    removed = 0
    for depth, base in enumerate(state.bases):
        if indent - removed < base + 4:
            if not in_code:
                del state.bases[depth:]
            break
        removed += 4
    return expanded[removed:]


def _in_fence(state: _Prepared, text: str) -> Iterator[str]:
    """A line of code; an include directive alone on it is no code."""
    bare = text.lstrip(" \t>").rstrip()
    if state.dropper.closes_code(state.fence, bare):
        state.fence = ""
        yield "```"
        return
    if bare and state.fence[0] == bare[0] and not bare.strip(bare[0]) and len(bare) >= len(state.fence):
        state.fence = ""
    elif state.dropper.includes(bare):
        return
    yield text


def _opening(state: _Prepared, fence: re.Match[str]) -> Iterator[str]:
    mark, said = fence[2], fence[3].strip()
    if state.prose and not said and mark[0] == state.prose[-1][0] and len(mark) >= len(state.prose[-1]):
        state.prose.pop()
        yield ""
        return
    directive = _DIRECTIVE_FENCE.match(said)
    if directive and directive[1] in _PROSE:
        state.prose.append(mark)
        state.options = True
        yield from ("", directive[2], "")
        return
    state.fence = mark
    # A fence ends a paragraph by itself, but no block of HTML.
    if not _ITEM.match(fence[1]) and ">" not in fence[1] and not _blank_before(state):
        yield ""
    yield fence[0]


def _marks(state: _Prepared, text: str) -> Iterator[str]:
    """A line without the mark that opens, closes or labels a block, its title as a paragraph of its own."""
    bare = text.lstrip()
    indent = text[: len(text) - len(bare)]
    opened = _opened(state, bare.rstrip(), indent)
    if opened is not None:
        yield from ("", indent + opened, "") if opened else ("",)
    elif found := _CALLOUT.match(text):
        quote = found[1].rstrip()
        yield from (quote, f"{quote} {found[2]}", quote) if found[2] else (quote,)
    elif found := _ABBREVIATION.match(bare):
        yield from ("", f"{found[1]}: {found[2]}", "")
    elif found := _FOOTNOTE.match(bare):
        state.bases.append(len(indent.expandtabs(4)))
        yield from ("", indent + found[1])
    elif _CONTENTS.match(text) or _LONE_ATTRIBUTES.match(text) or _MODULE.match(text):
        yield ""
    elif len(text) <= _LONGEST_TAG and (_COMPONENT.match(text) or _MARKDOWN_TAG.match(text)):
        yield from ("", *(indent[:3] + title for title in _TITLE_SAID.findall(text)), "")
    elif state.made and (found := _DEFINITION.match(bare)):
        yield f"{indent}-{found[1]}{bare[found.end() :]}"
    elif found := _QUOTES.match(text):
        yield "> " * _DEEPEST_QUOTE + text[found.end() :]
    else:
        yield text


def _opened(state: _Prepared, bare: str, indent: str) -> str | None:
    """The title of the block that a line opens, "" where it says none or closes one; None for any other line."""
    if bare.startswith(("!!!", "???", "===")):
        found = _ADMONITION.match(bare) or _TAB.match(bare)
        if found:
            state.bases.append(len(indent.expandtabs(4)))
            return found[1] or ""
    elif bare.startswith("///"):
        found = _SLASHES.match(bare)
        if found:
            state.options = bool(found[1])
            return "" if found[1] == "html" else (found[2] or "").strip()
    elif bare.startswith(":::"):
        found = _COLONS.match(bare)
        if found:
            state.options = bool(found[1])
            return _colon_title(found[1] or "", found[2].strip(": \t"))
    return None


def _colon_title(name: str, rest: str) -> str:
    if not rest and "." in name:
        return name
    said = _TITLE_SAID.search(rest)
    rest = _BRACES.sub("", rest).strip()
    rest = rest[1:].partition("]")[0] if rest.startswith("[") else rest
    return rest or (said[1] if said else "")
