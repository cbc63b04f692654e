"""All keys, as the bindings declare them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static, TabbedContent

from polyrag_cli.tui.shell.key_list import Entry, by_number
from polyrag_cli.tui.widgets.modal import Modal

_MOUSE = (
    "Mouse: click a tab's name, a row or a passage; drag over text to select it, ctrl+c copies the selection.",
    "Copying goes through the terminal (OSC 52), also over ssh; some terminals must be told to allow it.",
)


class HelpScreen(Modal[None]):
    """The keys by place: those of the tab in front first, then those that work everywhere, then the other tabs'."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 90%; max-width: 90; height: auto; max-height: 90%; padding: 0 1;
        border: round $primary; background: $surface;
    }
    HelpScreen .place { text-style: bold; margin-top: 1; }
    HelpScreen .place:first-of-type { margin-top: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close", priority=True)]

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self._entries = entries

    def compose(self) -> ComposeResult:
        front = self.app.screen_stack[0].query(TabbedContent)
        active = front.first().active if front else ""
        shown = sorted(by_number(self._entries), key=lambda entry: entry.tab != active)
        width = max((len(entry.keys) for entry in shown), default=0)
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "↑ ↓ PgUp PgDn scroll · escape closes"
            for where, group in groupby(shown, key=lambda entry: entry.where):
                yield Static(Content(where), classes="place")
                yield Static(Content("\n".join(f"{e.keys:<{width}}  {e.description}" for e in group)))
            yield Static(Content("\n".join(_MOUSE)), classes="place")
