"""The search view."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from polyrag_cli.tui.view import View


class SearchView(View):
    """The search view."""

    def compose(self) -> ComposeResult:
        yield Static("search")
