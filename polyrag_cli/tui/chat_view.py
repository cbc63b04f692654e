"""The chat view."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from polyrag_cli.tui.state import State
from polyrag_cli.tui.view import View


class ChatView(View):
    """The chat view."""

    def compose(self) -> ComposeResult:
        yield Static("chat")

    def show(self, state: State) -> None:
        """Draws the conversation."""
