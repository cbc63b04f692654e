"""polyrag manual: the manual's chapters."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrag_cli.commands.options import JsonOption


def manual(
    topic: Annotated[str | None, typer.Argument(help="A chapter; without one, all are listed.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a chapter of the manual, or what chapters there are."""
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.commands.show_manual import show_chapter, show_chapters
    from polyrag_cli.manual import chapter, chapters

    if topic is None:
        found = chapters()
        if as_json:
            emit_json({"chapters": [{"topic": c.topic, "title": c.title, "summary": c.summary} for c in found]})
        else:
            show_chapters(found)
        return
    chosen = chapter(topic)
    if as_json:
        emit_json(chosen)
    else:
        show_chapter(chosen)
