"""The tabs' contents, one in front."""

from __future__ import annotations

from textual.widgets import TabbedContent, TabPane


class TabPage(TabPane):
    """One tab's content; nothing is drawn before it is there."""

    BLANK = True


class TabStack(TabbedContent):
    """Brings a tab to the front only when it is asked for.

    Word of a focus inside a tab arrives by several messages; when it comes, another tab may have been chosen.
    """

    def _on_tab_pane_focused(self, event: TabPane.Focused) -> None:
        event.stop()
        event.prevent_default()
