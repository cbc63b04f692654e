"""The telemetry view."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from polyrag_cli.tui.view import View


class TelemetryView(View):
    """The telemetry view."""

    def compose(self) -> ComposeResult:
        yield Static("telemetry")
