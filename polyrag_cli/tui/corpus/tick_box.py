"""A checkbox that says by its sign, not by colour alone, whether it is ticked."""

from __future__ import annotations

from textual.widgets import Checkbox


class TickBox(Checkbox):
    """A checkbox that is empty when it isn't ticked."""

    BUTTON_INNER = " "

    def watch_value(self) -> None:
        self.BUTTON_INNER = "X" if self.value else " "
        super().watch_value()
        self.refresh()
