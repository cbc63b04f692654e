"""A rich console that passes no control character on: file names, headings and cells come from outside."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from polyrag_cli.display.text import printable


class _Filtered:
    """A renderable without the control characters in its texts; the console's own control codes stay."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._inner, options):
            yield Segment(text if control else printable(text), style, control)


class ControlFilter(RenderHook):
    """Drops control characters from everything that a console prints."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """The same renderables, filtered."""
        return [_Filtered(renderable) for renderable in renderables]
