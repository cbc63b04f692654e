"""The same question down two routes, side by side."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from polyrag_cli.display.text import printable
from polyrag_cli.tui.chat.turn_card import TurnCard
from polyrag_cli.tui.chat.turn_text import route_label
from polyrag_cli.tui.state import Turn


class CompareView(Container):
    """Two turns of one question in two columns, one below the other where there is no room. first, second: the turns,
    linked by `beside`."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    CompareView { height: auto; }
    CompareView > Static { height: auto; padding: 0 2; }
    CompareView > .sides { layout: horizontal; height: auto; }
    .-narrow CompareView > .sides { layout: vertical; }
    """

    def __init__(self, first: Turn, second: Turn) -> None:
        super().__init__()
        self.cards = (TurnCard(first, route_label(first)), TurnCard(second, route_label(second)))

    def compose(self) -> ComposeResult:
        question = printable(self.cards[0].turn.question)
        yield Static(Content.assemble(("› ", "$text-accent"), (question, "bold"), ("   two routes", "$text-muted")))
        yield Container(*self.cards, classes="sides")
