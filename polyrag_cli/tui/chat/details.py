"""What stands beside the conversation: one turn's decision and its spans."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive

from polyrag_cli.tui.chat.details_sheet import DetailsSheet
from polyrag_cli.tui.chat.fold_line import FoldLine
from polyrag_cli.tui.state import Turn


class Details(Vertical):
    """Decision and waterfall of one turn; they fold to a line where there is no room beside the conversation."""

    SCOPED_CSS = False
    DEFAULT_CSS = """
    Details { height: 1fr; border-left: solid $panel; }
    Details > FoldLine { display: none; }
    .-narrow Details { height: 45%; border-left: none; }
    .-narrow Details > FoldLine { display: block; }
    .-narrow Details.-folded { height: 1; }
    .-low.-narrow Details { display: none; }
    """

    folded: reactive[bool] = reactive(False, toggle_class="-folded")

    def __init__(self) -> None:
        super().__init__()
        self._line = FoldLine()
        self._sheet = DetailsSheet()

    def compose(self) -> ComposeResult:
        yield self._line
        yield self._sheet

    def show(self, turn: Turn | None) -> bool:
        """Draws what changed of the turn; says whether the decision did."""
        self._line.show(turn, self.folded)
        return self._sheet.show(turn)

    def page(self, pages: int) -> None:
        """Scrolls by pages, -1 up and 1 down."""
        self._sheet.scroll_relative(y=pages * max(1, self._sheet.size.height - 1), animate=False)

    def watch_folded(self, folded: bool) -> None:
        self._line.show(self._line.turn, folded)

    def on_fold_line_clicked(self) -> None:
        self.folded = not self.folded
