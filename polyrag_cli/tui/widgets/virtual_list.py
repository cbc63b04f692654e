"""A list that draws only what is visible, so that 10,000 items are as quick as ten.

Owns the cursor, scrolling, keys and mouse of such a list.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from polyrag_cli.tui.widgets.abstract_widget import AbstractWidgetMeta

T = TypeVar("T")
MARK_CELLS = 2
"""Cells before each line, where the cursor's mark stands."""


class VirtualList(ScrollView, Generic[T], can_focus=True, metaclass=AbstractWidgetMeta):
    """Items of `item_height` lines each, one of them under the cursor; a click or enter chooses an item."""

    DEFAULT_CSS = """
    VirtualList {
        height: 1fr;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        & > .virtual-list--header { text-style: bold; background: $panel; }
        & > .virtual-list--cursor { background: $block-cursor-blurred-background; }
        &:focus > .virtual-list--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"virtual-list--cursor", "virtual-list--header"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(False)", "First", show=False),
        Binding("end", "edge(True)", "Last", show=False),
        Binding("enter", "choose", "Open", show=False),
    ]
    item_height = 1
    has_header = False
    cursor: reactive[int] = reactive(0)

    class Moved(Message):
        """The cursor is on another item."""

        def __init__(self, control: VirtualList[Any]) -> None:
            super().__init__()
            self._control = control

        @property
        def control(self) -> VirtualList[Any]:
            """The list."""
            return self._control

    class Chosen(Moved):
        """The item under the cursor was chosen."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: Sequence[T] = ()

    # ------------------------------------------------------------ what a list defines
    def key(self, item: T) -> Hashable:
        """What tells an item from the others across changes of the list."""
        return item

    @abstractmethod
    def lines(self, item: T, index: int, width: int) -> Sequence[Text]:
        """The item's lines, at most `item_height`, each for `width` cells."""

    def header(self, width: int) -> Text:
        """The line above the items where `has_header`; a blank one unless a list says what stands there."""
        return Text()

    def header_clicked(self, x: int) -> None:
        """Called when the header was clicked; x: cells from its left, without the mark's."""

    # ------------------------------------------------------------ items
    @property
    def items(self) -> Sequence[T]:
        """The items."""
        return self._items

    @property
    def current(self) -> T | None:
        """The item under the cursor."""
        return self._items[self.cursor] if 0 <= self.cursor < len(self._items) else None

    def set_items(self, items: Sequence[T], follow: bool = True) -> None:
        """Other items; follow: the cursor stays on its item and the item on its line, where it is still there."""
        before, line = self.current, self.cursor * self.item_height - self.scroll_offset.y
        self._items = items
        self.virtual_size = Size(0, len(items) * self.item_height + self.has_header)
        cursor = 0
        if follow and before is not None:
            key = self.key(before)
            kept = next((i for i, item in enumerate(items) if self.key(item) == key), None)
            cursor = kept if kept is not None else min(self.cursor, max(0, len(items) - 1))
        self.set_reactive(VirtualList.cursor, cursor)
        self.scroll_to(y=max(0, cursor * self.item_height - line) if follow else 0, animate=False)
        self._reveal()
        self.refresh()

    def go_to(self, index: int) -> None:
        """Moves the cursor, to the nearest end when there is no such item."""
        self.cursor = min(max(0, index), max(0, len(self._items) - 1))

    def watch_cursor(self) -> None:
        self._reveal()
        self.refresh()
        if self._items:
            self.post_message(self.Moved(self))

    def on_resize(self) -> None:
        self._reveal()

    @property
    def line_cells(self) -> int:
        """Cells of a line, its mark's included, without the scrollbar's."""
        return self.scrollable_content_region.width

    @property
    def _rows(self) -> int:
        return max(1, self.size.height - self.has_header)

    def _reveal(self) -> None:
        top, shown = self.cursor * self.item_height, self._rows
        if top < self.scroll_offset.y:
            self.scroll_to(y=top, animate=False)
        elif top + self.item_height > self.scroll_offset.y + shown:
            self.scroll_to(y=top + self.item_height - shown, animate=False)

    # ------------------------------------------------------------ drawing
    def render_line(self, y: int) -> Strip:
        width, base = self.line_cells, self.rich_style
        if self.has_header:
            if y == 0:
                style = base + self.get_component_rich_style("virtual-list--header")
                return self._strip(Text("  ") + self.header(width - MARK_CELLS), width).apply_style(style)
            y -= 1
        index, part = divmod(self.scroll_offset.y + y, self.item_height)
        if not 0 <= index < len(self._items):
            return Strip.blank(width, base)
        drawn = self.lines(self._items[index], index, width - MARK_CELLS)
        line = drawn[part] if part < len(drawn) else Text()
        here = index == self.cursor
        mark = ("› " if self.has_focus else "· ") if here and part == 0 else "  "
        style = base + self.get_component_rich_style("virtual-list--cursor") if here else base
        return self._strip(Text(mark, end="") + line, width).apply_style(style)

    def _strip(self, line: Text, width: int) -> Strip:
        return Strip(list(line.render(self.app.console))).adjust_cell_length(width)

    # ------------------------------------------------------------ keys and mouse
    def action_move(self, by: int) -> None:
        """Moves the cursor by some items."""
        self.go_to(self.cursor + by)

    def action_page(self, pages: int) -> None:
        """Moves the cursor by what fits on the screen."""
        self.go_to(self.cursor + pages * max(1, self._rows // self.item_height))

    def action_edge(self, last: bool) -> None:
        """Moves the cursor to the first or the last item."""
        self.go_to(len(self._items) - 1 if last else 0)

    def action_choose(self) -> None:
        """Chooses the item under the cursor."""
        if self.current is not None:
            self.post_message(self.Chosen(self))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        y = offset.y - self.has_header
        if y < 0:
            self.header_clicked(offset.x - MARK_CELLS)
            return
        index = (self.scroll_offset.y + y) // self.item_height
        if index < len(self._items):
            self.go_to(index)
            self.action_choose()
