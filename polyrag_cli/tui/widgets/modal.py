"""A screen over the views that closes once, however often it is told to."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, ScreenResultType


class Modal(ModalScreen[ScreenResultType]):
    """A modal screen.

    A second escape or click that was on its way when the first one closed the screen would close the one below it.
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Closes the screen if it is the one in front; otherwise it does nothing."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
