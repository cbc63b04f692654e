"""A widget whose text depends on its width."""

from __future__ import annotations

from abc import abstractmethod

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from polyrag_cli.tui.widgets.abstract_widget import AbstractWidgetMeta


class Drawn(Widget, metaclass=AbstractWidgetMeta):
    """Draws the content that `draw` gives for its width; no markup is ever parsed, so any text may be in it."""

    DEFAULT_CSS = """
    Drawn {
        height: auto;
        width: 1fr;
    }
    """

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._drawn: tuple[int, Content] | None = None
        self._height = 0

    @abstractmethod
    def draw(self, width: int) -> Content:
        """The content for a width in cells, at least 1."""

    def redraw(self) -> None:
        """Draws again; the layout is computed again only when the height changes."""
        self._drawn = None
        width = self.content_size.width
        grown = width == 0 or self._content(width).get_height({}, width) != self._height
        if grown:
            self.clear_cached_dimensions()
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the content takes at a width."""
        self._height = self._content(max(1, width)).get_height({}, max(1, width))
        return self._height

    def render(self) -> Content:
        """The content for the present width."""
        return self._content(max(1, self.content_size.width))

    def _content(self, width: int) -> Content:
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, self.draw(width))
        return self._drawn[1]


def joined(lines: list[Content]) -> Content:
    """Lines, one below the other."""
    return Content("\n").join(lines)
