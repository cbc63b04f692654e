"""One question with its answer, as it stands in the conversation."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from polyrag_cli.tui.chat.turn_text import sources, turn_content
from polyrag_cli.tui.messages import PassageOpened, TraceOpened
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.drawn import Drawn


class TurnCard(Drawn, can_focus=True):
    """A turn; focused, its decision is shown, and its sources are opened by number or with the cursor.

    heading: stands in the place of the question, where that is said above.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Source or turn above", show=False),
        Binding("down", "move(1)", "Source or turn below", show=False),
        Binding("enter", "open_cursor", "Open source", show=True),
        Binding("t", "open_trace", "Trace"),
        *(Binding(str(n), f"open_source({n})", f"Open source {n}", show=False) for n in range(1, 10)),
    ]
    DEFAULT_CSS = """
    TurnCard {
        padding: 0 1;
        margin-bottom: 1;
        border-left: blank;
        link-background-hover: $primary;
        &.-selected { border-left: outer $accent; }
    }
    """

    class Selected(Message):
        """The turn's decision is to be shown. number: the turn's."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Left(Message):
        """The cursor moves on to the card above (-1) or below (1)."""

        def __init__(self, card: TurnCard, step: int) -> None:
            super().__init__()
            self.card = card
            self.step = step

    def __init__(self, turn: Turn, heading: str | None = None) -> None:
        super().__init__()
        self.turn = turn
        self._heading = heading
        self._cursor: int | None = None

    def show(self, turn: Turn) -> None:
        """Draws the turn anew when it is another value than the one last drawn."""
        if turn is not self.turn:
            self.turn = turn
            self.redraw()

    def draw(self, width: int) -> Content:
        """The turn's lines."""
        return turn_content(self.turn, width, self._cursor if self.has_focus else None, self._heading)

    def enter_from(self, step: int) -> None:
        """Takes the focus, with the cursor on the first source when it comes from above, on the last from below."""
        found = len(sources(self.turn))
        self._cursor = (0 if step > 0 else found - 1) if found else None
        self.focus()

    def on_focus(self) -> None:
        if self._cursor is None and sources(self.turn):
            self._cursor = 0
        # The widget knows of its focus only when this message is done with.
        self.call_next(self.redraw)
        self.post_message(self.Selected(self.turn.number))

    def on_unmount(self) -> None:
        # Textual's cache of backgrounds keeps this object of a widget that is gone; its drawn lines need not stay.
        self._styles_cache.clear()

    def on_blur(self) -> None:
        self.call_next(self.redraw)

    def action_move(self, step: int) -> None:
        """Moves the cursor among the sources, and from the outermost one on to the next card."""
        at = (self._cursor if self._cursor is not None else -1 if step > 0 else 0) + step
        if 0 <= at < len(sources(self.turn)):
            self._cursor = at
            self.redraw()
        else:
            self.post_message(self.Left(self, step))

    def action_open_cursor(self) -> None:
        """Opens the source under the cursor."""
        found = sources(self.turn)
        if found:
            self.action_open_source(found[min(self._cursor or 0, len(found) - 1)][0])

    def action_open_source(self, number: int) -> None:
        """Opens a source by its number, where the answer cites it."""
        for n, hit in sources(self.turn):
            if n == number:
                self.post_message(PassageOpened(hit.document, hit.start, hit.end, hit.quotes))

    def action_open_trace(self) -> None:
        """Shows the answer's stored trace."""
        if self.turn.answer is not None and self.turn.answer.trace_id:
            self.post_message(TraceOpened(self.turn.answer.trace_id))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Selected(self.turn.number))
