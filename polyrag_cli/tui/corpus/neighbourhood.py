"""The drawn neighbourhood of an entity, in which a neighbour is chosen by keys or mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from polyrag_cli.tui.corpus.neighbourhood_drawing import Drawing, at, draw, step

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour


class Neighbourhood(ScrollView, can_focus=True):
    """An entity with its relations and co-mentions; enter or a click walks to a neighbour."""

    DEFAULT_CSS = """
    Neighbourhood {
        height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; padding: 0 1;
        & > .neighbourhood--cursor { background: $block-cursor-blurred-background; text-style: bold; }
        &:focus > .neighbourhood--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"neighbourhood--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('up')", "Up", show=False),
        Binding("down", "step('down')", "Down", show=False),
        Binding("left", "step('left')", "Left", show=False),
        Binding("right", "step('right')", "Right", show=False),
        Binding("enter", "walk", "Walk there"),
        Binding("backspace", "back", "Walk back"),
    ]
    cursor: reactive[int] = reactive(0)

    class Walked(Message):
        """A neighbour was chosen. name: its name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class WalkedBack(Message):
        """The way is to be gone back by one step."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.centre = ""
        self.neighbours: Sequence[Neighbour] = ()
        self._drawing = Drawing((), ())

    def show(self, centre: str, neighbours: Sequence[Neighbour], cursor: str = "") -> None:
        """Draws another neighbourhood. cursor: the neighbour's name that is marked at first."""
        self.centre, self.neighbours = centre, neighbours
        names = [neighbour.name for neighbour in neighbours]
        self.set_reactive(Neighbourhood.cursor, names.index(cursor) if cursor in names else 0)
        self._draw()
        self.scroll_home(animate=False)
        self._reveal()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        self._drawing = draw(self.centre, self.neighbours, width) if self.centre and width else Drawing((), ())
        self.virtual_size = Size(0, len(self._drawing.lines))
        self.refresh()

    def on_resize(self) -> None:
        self._draw()

    def watch_cursor(self) -> None:
        self._reveal()
        self.refresh()

    def _reveal(self) -> None:
        if self.cursor < len(self._drawing.places):
            line = self._drawing.places[self.cursor].line
            if line < self.scroll_offset.y:
                self.scroll_to(y=max(0, line - 2), animate=False)
            elif line >= self.scroll_offset.y + self.size.height:
                self.scroll_to(y=line - self.size.height + 1, animate=False)

    def render_line(self, y: int) -> Strip:
        width, base, number = self.scrollable_content_region.width, self.rich_style, self.scroll_offset.y + y
        if number >= len(self._drawing.lines):
            return Strip.blank(width, base)
        line = Text(self._drawing.lines[number], end="", no_wrap=True)
        place = self._drawing.places[self.cursor] if self.cursor < len(self._drawing.places) else None
        if place is not None and place.line == number:
            text = self._drawing.lines[number]
            line = Text(text[: place.start - 1] + "›" + text[place.start :], end="", no_wrap=True)
            line.stylize(self.get_component_rich_style("neighbourhood--cursor"), place.start - 1, place.end)
        return Strip(list(line.render(self.app.console))).adjust_cell_length(width).apply_style(base)

    def action_step(self, direction: str) -> None:
        """Marks the next neighbour in a direction."""
        self.cursor = step(self._drawing, self.cursor, direction)

    def action_walk(self) -> None:
        """Walks to the marked neighbour."""
        if self.cursor < len(self.neighbours):
            self.post_message(self.Walked(self.neighbours[self.cursor].name))

    def action_back(self) -> None:
        """Walks back by one step."""
        self.post_message(self.WalkedBack())

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = self.scroll_offset.y + offset.y
        if line < len(self._drawing.lines) and offset.x <= cell_len(self._drawing.lines[line]):
            found = at(self._drawing, line, offset.x)
            if found is not None:
                self.cursor = found
                self.action_walk()
