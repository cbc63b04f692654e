"""The last line: the keys that work now, and at its right what the last answer took."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from polyrag_cli.display.text import milliseconds
from polyrag_cli.types import Answer

NO_MODEL = "no model"
# Cells around a key and its description.
_KEY_SPACE = 3


class StatusFooter(Footer):
    """The footer with a status at its right; keys come first where the line is too narrow for both."""

    DEFAULT_CSS = """
    StatusFooter #status {
        dock: right;
        height: 1;
        padding: 0 1;
        text-align: right;
        color: $footer-description-foreground;
        background: $footer-background;
    }
    """

    status: reactive[str] = reactive("")

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        # Cells of the longest status so far: one that fits needs no layout of the screen.
        self._room = 0

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(Content(self.status), id="status")
        self.call_after_refresh(self._fit)

    def on_resize(self) -> None:
        self._fit()

    def watch_status(self, status: str) -> None:
        for line in self.query("#status").results(Static):
            line.update(Content(status), layout=False)
        self._fit()

    def _fit(self) -> None:
        self._room = max(self._room, len(self.status))
        keys = sum(len(key.key_display) + len(key.description) + _KEY_SPACE for key in self.query(FooterKey))
        for line in self.query("#status").results(Static):
            # With the padding.
            line.styles.width = self._room + 2
            line.display = bool(self.status) and keys + self._room + _KEY_SPACE <= self.size.width


def status(answer: Answer | None) -> str:
    """What an answer took, what wrote it, and its trace."""
    if answer is None:
        return ""
    parts = [milliseconds(answer.took_ms), "from the cache" if answer.cached else NO_MODEL]
    return " · ".join([*parts, f"trace {answer.trace_id[:4]}"] if answer.trace_id else parts)
