"""The line that stays when the details are folded."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from polyrag_cli.display.answers import summary
from polyrag_cli.display.decisions import decision_line
from polyrag_cli.display.text import clip
from polyrag_cli.tui.state import Turn


class FoldLine(Widget):
    """What was decided, in short; a triangle says whether there is more below."""

    DEFAULT_CSS = """
    FoldLine { height: 1; background: $panel; padding: 0 1; }
    """

    class Clicked(Message):
        """The details are to be folded or unfolded."""

    def __init__(self) -> None:
        super().__init__(id="fold")
        self.turn: Turn | None = None
        self.folded = False

    def render(self) -> Content:
        """The line, cut to the width."""
        return Content(clip(f"{'▸' if self.folded else '▾'} {_short(self.turn)}", max(1, self.size.width)))

    def on_click(self) -> None:
        self.post_message(self.Clicked())

    def show(self, turn: Turn | None, folded: bool) -> None:
        """Draws the turn's line when it changed."""
        if turn is not self.turn or folded != self.folded:
            self.turn, self.folded = turn, folded
            self.refresh()


def _short(turn: Turn | None) -> str:
    if turn is None:
        return "decision"
    if turn.answer is not None:
        return summary(turn.answer)
    if turn.decision is not None:
        return " | ".join(decision_line(clause) for clause in turn.decision.clauses)
    return turn.error or "deciding …"
