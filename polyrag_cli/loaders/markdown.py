"""Markdown files, as people read them: titles, fields, text without marks, tables."""

from __future__ import annotations

from pathlib import Path

from polyrag_cli.loaders.encoding import read_text
from polyrag_cli.loaders.rendering.clean_text import CleanText
from polyrag_cli.loaders.rendering.directives import prepared
from polyrag_cli.loaders.rendering.front_matter import front_matter
from polyrag_cli.loaders.rendering.markdown_blocks import render_markdown
from polyrag_cli.types import LoadedDocument


class MarkdownLoader:
    """Reads Markdown; the extracted text is what is left when its marks are rendered."""

    name = "markdown"
    version = "2"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its blocks and tables; () when the file holds nothing.

        Raises LoadError for binary content.
        """
        decoded = read_text(path)
        if not decoded.text.strip():
            return ()
        return (parse_markdown(decoded.text, path.stem, decoded.warnings),)


def parse_markdown(text: str, name: str, warnings: tuple[str, ...] = ()) -> LoadedDocument:
    """A Markdown text as people read it; its title is the front matter's, else the one that its headings say.

    name: names the tables that stand under no heading.
    """
    lines = text.split("\n")
    said = front_matter(lines)
    out = CleanText(name)
    out.add("fields", said.lines())
    render_markdown(prepared(lines, said.after), out)
    return out.document(said.title, warnings)
