"""The question box with its prompt and the line of choices below it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from polyrag_cli.tui.chat.choice_line import ChoiceLine
from polyrag_cli.tui.chat.question_box import QuestionBox


class AskLine(Vertical):
    """Where a question is written. box, choices: its two parts."""

    DEFAULT_CSS = """
    AskLine {
        height: auto;
        padding: 0 1;
        border-top: solid $panel;
        & > Horizontal { height: auto; }
        & #prompt { width: 2; height: 1; color: $text-accent; text-style: bold; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.box = QuestionBox()
        self.choices = ChoiceLine()

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(Content("› "), id="prompt")
            yield self.box
        yield self.choices
