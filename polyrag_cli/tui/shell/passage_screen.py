"""A passage where it stands in its document. Owns finding the marked lines; must never ask for anything but the text
and the heading."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from polyrag_cli.display.text import printable
from polyrag_cli.errors import told
from polyrag_cli.tui.messages import PassageOpened
from polyrag_cli.tui.shell.document_text import DocumentText
from polyrag_cli.tui.widgets.modal import Modal

if TYPE_CHECKING:
    from polyrag_cli.tui.view import Dashboard
    from polyrag_cli.types import LinedText


class PassageScreen(Modal[None]):
    """A document's text, scrolled to a passage that is marked in the margin, its quotes as well. passage: which."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Close"),
        Binding("n", "next_mark(1)", "Next mark"),
        Binding("p,N", "next_mark(-1)", "Mark before"),
    ]
    DEFAULT_CSS = """
    PassageScreen {
        align: center middle;
        & > Vertical { width: 92%; max-width: 130; height: 90%; background: $surface; border: round $primary; }
        & .bar { height: auto; max-height: 2; padding: 0 1; background: $panel; }
    }
    """

    class Read(Message):
        """The document's text is there."""

        def __init__(self, text: LinedText, heading: str) -> None:
            super().__init__()
            self.text = text
            self.heading = heading

    class Unreadable(Message):
        """The document can't be read. text: one line that says why."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, passage: PassageOpened) -> None:
        super().__init__()
        self._passage = passage

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(printable(self._passage.document)), id="place", classes="bar", markup=False)
            yield DocumentText(self._passage.start, self._passage.end, self._passage.quotes)
            keys = Content("▎ passage  ▶ quoted · n next mark · esc close")
            yield Static(keys, id="keys", classes="bar")

    def on_mount(self) -> None:
        self.query_one(DocumentText).focus()
        self.run_worker(self._read, thread=True, exit_on_error=False)

    def _read(self) -> None:
        """Runs in a thread."""
        passage = self._passage
        try:
            engine = cast("Dashboard", self.app).engine.result()
            text = engine.lined_text(passage.document)
            chunks = (stored.chunk for stored in engine.corpus.chunks(passage.document))
            headings = (chunk.heading for chunk in chunks if chunk.start <= passage.start < chunk.end)
            self.post_message(self.Read(text, next(headings, "")))
        except Exception as error:  # noqa: BLE001 - the boundary of the thread: nobody would hear of it
            self.post_message(self.Unreadable(told(error)))

    def on_passage_screen_read(self, message: Read) -> None:
        shown = self.query_one(DocumentText)
        shown.load(message.text)
        heading = f" › {message.heading}" if message.heading else ""
        place = Content.assemble((printable(self._passage.document + heading), "bold"), f"   {shown.passage_lines}")
        self.query_one("#place", Static).update(place)

    def on_passage_screen_unreadable(self, message: Unreadable) -> None:
        self.query_one("#place", Static).update(Content.styled(printable(message.text), "$text-error"))

    def on_click(self, event: events.Click) -> None:
        if event.widget is self or (event.widget is not None and event.widget.id == "keys"):
            self.dismiss()

    def action_leave(self) -> None:
        """Closes it."""
        self.dismiss()

    def action_next_mark(self, step: int) -> None:
        """Scrolls to the next quoted place, or the one before."""
        self.query_one(DocumentText).scroll_to_mark(step)
