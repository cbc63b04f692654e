"""A question that is answered by yes or no before something is done that can't be undone."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from polyrag_cli.tui.widgets.modal import Modal


class ConfirmScreen(Modal[bool]):
    """Asks; gives True for yes. question: one or more lines; yes: the word on its button."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        & > Vertical { width: 64; max-width: 95%; height: auto; border: round $primary; padding: 1 2; }
        & Horizontal { height: auto; margin-top: 1; }
        & Button { margin-right: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str, yes: str) -> None:
        super().__init__()
        self._question = question
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, markup=False)
            with Horizontal():
                yield Button(f"{self._yes} (y)", id="yes", variant="error", compact=True)
                yield Button("Cancel (n)", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Closes the question with an answer."""
        self.dismiss(yes)
