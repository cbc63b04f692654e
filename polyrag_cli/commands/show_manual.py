"""Draws the manual: rendered and paged on a terminal, plain Markdown in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyrag_cli.commands.output import console, write

if TYPE_CHECKING:
    from polyrag_cli.manual import Chapter

# Wider lines of running text are tiring to read.
_MAX_WIDTH = 100


def show_chapters(chapters: Sequence[Chapter]) -> None:
    """One line a chapter: its topic and what it is about."""
    width = max(len(chapter.topic) for chapter in chapters)
    for chapter in chapters:
        write(f"{chapter.topic:<{width}}  {chapter.summary}")


def show_chapter(chapter: Chapter) -> None:
    """A whole chapter."""
    out = console()
    if not out.is_terminal:
        write(chapter.text.rstrip("\n"))
        return
    from rich.markdown import Markdown

    out.width = min(out.width, _MAX_WIDTH)
    with out.capture() as captured:
        out.print(Markdown(chapter.text))
    _page(captured.get())


def _page(text: str) -> None:
    """Shows a text with its colours, page by page where there is a pager; all of it at once where there is none."""
    import pydoc
    import shutil

    if shutil.which("less"):
        # Colours as they are; no pager at all when everything fits on the screen.
        pydoc.pipepager(text, "less -RFX")
    else:
        sys.stdout.write(text)
