"""Owns Markdown's blocks: what a parser finds in prepared lines, written as clean text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from polyrag_cli.loaders.rendering.block_writer import BlockWriter
from polyrag_cli.loaders.rendering.clean_text import CleanText, Line, joined
from polyrag_cli.loaders.rendering.html_blocks import render_fragment
from polyrag_cli.loaders.rendering.inline import heading_text, inline_lines, parser
from polyrag_cli.loaders.rendering.pipe_tables import table_rows

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LONGEST_HEADING = 400
_BOX = re.compile(r"\[([ xX])\](?=[ \t]|$)")
_FENCE_TITLE = re.compile(r"""\b(?:title|filename|caption)=["']([^"'\n]{1,200})["']""")


def render_markdown(lines: Sequence[Line], out: CleanText) -> None:
    """Writes some lines of Markdown into a clean text."""
    _Rendering(lines, out).run()


class _Rendering:
    """One text on its way; `place` of a line of the parser's is where it stands in the source."""

    def __init__(self, lines: Sequence[Line], out: CleanText) -> None:
        self._lines = lines
        self._env: dict[str, Any] = {}
        self._writer = BlockWriter(out)
        self._at_item = False

    def run(self) -> None:
        tokens = _parser().parse("\n".join(line.text for line in self._lines), self._env)
        at = 0
        while at < len(tokens):
            at = self._token(tokens, at)
        self._writer.finish()

    def _token(self, tokens: Sequence[Token], at: int) -> int:
        """Writes what a token begins and gives the index of the next one to read."""
        token = tokens[at]
        if token.type in ("paragraph_open", "heading_open"):
            self._text(token, tokens[at + 1])
            return at + 3
        if token.type == "html_block":
            return self._html(tokens, at)
        if token.type == "table_open":
            self._table(token)
            return next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close") + 1
        if token.type in ("fence", "code_block"):
            self._code(token)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            self._writer.open_list()
        elif token.type == "list_item_open":
            self._writer.item(f"{token.info}{token.markup} " if token.info else "- ")
            self._at_item = True
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._writer.close_list()
        return at + 1

    def _text(self, token: Token, inline: Token) -> None:
        first, after = token.map or [0, 1]
        titled = token.type == "heading_open" and len(inline.content) <= _LONGEST_HEADING
        lines = self._inline(heading_text(inline.content) if titled else inline.content, first, after)
        if self._at_item and lines:
            box = _BOX.match(inline.content)
            if box:
                text = lines[0].text.removeprefix(box[0]).lstrip()
                lines[0] = Line(f"{'☐' if box[1] == ' ' else '☑'} {text}", lines[0].source)
        self._at_item = False
        if titled:
            self._writer.add("heading", [Line(joined(lines), self._place(first))], int(token.tag[1]))
        else:
            self._writer.add("paragraph", [line for line in lines if line.text])

    def _inline(self, content: str, first: int, after: int) -> list[Line]:
        places = [self._place(line) for line in range(first, max(after, first + 1))]
        return inline_lines(_parser(), content, self._env, places)

    def _code(self, token: Token) -> None:
        first = (token.map or [0, 1])[0]
        titled = _FENCE_TITLE.search(token.info)
        if titled:
            self._writer.add("paragraph", [Line(titled[1], self._place(first))])
        first += token.type == "fence"
        lines = token.content.rstrip("\n").split("\n")
        self._writer.add("code", [Line(text, self._place(first + i)) for i, text in enumerate(lines)])

    def _html(self, tokens: Sequence[Token], at: int) -> int:
        """Blocks of HTML that follow each other are one: a blank line may stand inside an element."""
        end = at
        while end < len(tokens) and tokens[end].type == "html_block":
            end += 1
        first, after = (tokens[at].map or [0, 1])[0], (tokens[end - 1].map or [0, 1])[1]
        content: list[str] = []
        line = first
        for token in tokens[at:end]:
            content.append("\n" * max(0, (token.map or [0, 0])[0] - line) + token.content)
            line += content[-1].count("\n")
        places = [self._place(line) for line in range(first, max(after, first + 1))]
        render_fragment("".join(content), self._writer, places, self._marked)
        return end

    def _marked(self, line: Line) -> list[Line]:
        """A text inside a block of HTML: most generators read Markdown there too."""
        return inline_lines(_parser(), line.text, self._env, (line.source,))

    def _table(self, token: Token) -> None:
        first, after = token.map or [0, 1]
        # A line without a pipe that follows a table is text that the grammar takes into it.
        end = next((i for i in range(first + 2, after) if "|" not in self._lines[i].text), after)
        rows = table_rows([line.text for line in self._lines[first:end]], self._cell)
        places = [self._place(line) for line in range(first, end)]
        self._writer.add_table(rows, [places[0], *places[2:]])
        if end < after:
            self._writer.add("paragraph", self._inline("\n".join(x.text for x in self._lines[end:after]), end, after))

    def _cell(self, markup: str) -> str:
        return joined(inline_lines(_parser(), markup, self._env, (0,)))

    def _place(self, line: int) -> int:
        if not self._lines:
            return 0
        return self._lines[min(line, len(self._lines) - 1)].source


@cache
def _parser() -> MarkdownIt:
    return parser()
