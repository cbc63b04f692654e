"""A list to choose one of, over everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from polyrag_cli.tui.widgets.modal import Modal

Choice = tuple[str | None, str]
"""What is chosen, and what the list says about it."""


class Picker(Modal["Choice | None"]):
    """Gives the choice made, None when it was left with escape or a click beside it.

    title: what is chosen. choices: in their order. current: the value that is marked and under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]
    DEFAULT_CSS = """
    Picker {
        align: center middle;
        & > Vertical { width: 64; max-width: 90%; height: auto; max-height: 80%; background: $surface; padding: 1 2; }
        & OptionList { height: auto; max-height: 16; border: none; &:focus { border: none; } }
        & Static { margin-bottom: 1; }
    }
    """

    def __init__(self, title: str, choices: Sequence[Choice], current: str | None = None) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._current = current

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content.styled(self._title, "bold"))
            yield OptionList(*(Option(self._line(choice)) for choice in self._choices), markup=False)

    def on_mount(self) -> None:
        values = [value for value, _ in self._choices]
        self.query_one(OptionList).highlighted = values.index(self._current) if self._current in values else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index])

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Chooses nothing."""
        self.dismiss(None)

    def _line(self, choice: Choice) -> Content:
        value, about = choice
        now = value == self._current
        return Content.assemble(("● " if now else "  "), (value or "auto", "bold"), (f"  {about}", "$text-muted"))
