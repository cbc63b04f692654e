"""Where a question is written: one line that grows, with the earlier questions on the arrow keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from polyrag_cli.tui.chat.history import History

MAX_CHARS = 200_000
"""Characters of the longest question that the engine takes; what is pasted beyond is cut."""

_NEW_LINE = ("shift+enter", "ctrl+j", "alt+enter")


class QuestionBox(TextArea):
    """Enter asks, shift+enter or ctrl+j starts a line, up and down at the edges walk through earlier questions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Ask", priority=False),
        Binding(",".join(_NEW_LINE), "new_line", "New line", show=False),
    ]
    DEFAULT_CSS = """
    QuestionBox {
        width: 1fr;
        height: auto;
        min-height: 1;
        max-height: 5;
        padding: 0;
        border: none;
        background: $background;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
    }
    """

    class Submitted(Message):
        """A question is to be asked. text: without outer white space, never empty."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Empty(Message):
        """Enter was pressed on an empty box."""

    class Paged(Message):
        """The conversation is to be scrolled by a page. pages: -1 up, 1 down."""

        def __init__(self, pages: int) -> None:
            super().__init__()
            self.pages = pages

    def __init__(self) -> None:
        super().__init__(
            id="question",
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            highlight_cursor_line=False,
            placeholder="Ask about the corpus",
        )
        self.asked = History()

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_submit()
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        """A paste never submits, whatever line breaks it holds; what is longer than a question is cut."""
        event.stop()
        event.prevent_default()
        text = event.text
        room = max(0, MAX_CHARS - len(self.text) + len(self.selected_text))
        if len(text) > room:
            self.app.notify(f"The paste was cut: a question has at most {MAX_CHARS:,} characters.", markup=False)
        if result := self._replace_via_keyboard(text[:room], *self.selection):
            self.move_cursor(result.end_location)

    def action_submit(self) -> None:
        """Hands the question over and empties the box."""
        text = self.text.strip()
        if not text:
            self.post_message(self.Empty())
            return
        self.asked.add(text)
        self.clear()
        self.post_message(self.Submitted(text))

    def action_new_line(self) -> None:
        """Starts a new line where the cursor is."""
        self._replace_via_keyboard("\n", *self.selection)

    def action_cursor_up(self, select: bool = False) -> None:
        """Up a line; from the first one to the question before."""
        if select or not self._at_edge(up=True):
            super().action_cursor_up(select)
        else:
            self._show(self.asked.older(self.text))

    def action_cursor_down(self, select: bool = False) -> None:
        """Down a line; from the last one to the question after."""
        if select or not self._at_edge(up=False):
            super().action_cursor_down(select)
        else:
            self._show(self.asked.newer(self.text))

    def action_cursor_page_up(self) -> None:
        """Scrolls the conversation: the box itself is never longer than a page."""
        self.post_message(self.Paged(-1))

    def action_cursor_page_down(self) -> None:
        """Scrolls the conversation: the box itself is never longer than a page."""
        self.post_message(self.Paged(1))

    def _at_edge(self, up: bool) -> bool:
        navigator = self.navigator
        if up:
            return navigator.is_first_wrapped_line(self.cursor_location)
        return navigator.is_last_wrapped_line(self.cursor_location)

    def _show(self, text: str | None) -> None:
        if text is not None:
            self.load_text(text)
            self.move_cursor(self.document.end)
