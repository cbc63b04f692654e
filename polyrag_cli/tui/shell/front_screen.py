"""The screen with the views: gives the focus, and only to what is seen."""

from __future__ import annotations

from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import TabbedContent, TabPane

from polyrag_cli.tui.view import View


class FrontScreen(Screen[None]):
    """Where the focus is always on something in the view in front, whatever is shown, hidden or removed.

    A widget asks for the focus by a message. One that comes after its tab was left would bring the tab back, or send
    keys where nobody sees them, so it is dropped.
    """

    @property
    def tabs(self) -> TabbedContent:
        """The tabs."""
        return self.query_one(TabbedContent)

    @property
    def views(self) -> list[View]:
        """All views, in the order of their tabs."""
        return list(self.query(View))

    @property
    def view(self) -> View | None:
        """The view in front; None until it is made."""
        return next((view for view in self.query(View) if _in_front(view)), None)

    def show(self, view: Widget) -> None:
        """Brings a view's tab to the front."""
        self.tabs.active = next(node.id for node in view.ancestors if isinstance(node, TabPane) and node.id)

    def show_tab(self, tab: str) -> None:
        """Brings a tab to the front, if there is one of that name."""
        if any(pane.id == tab for pane in self.tabs.query(TabPane)):
            self.tabs.active = tab

    def set_focus(self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        """Moves the focus, unless the widget's tab isn't in front."""
        if widget is None or _in_front(widget):
            super().set_focus(widget, scroll_visible, from_app_focus)
        self.call_after_refresh(self._keep_focus_seen)

    def take_focus(self) -> None:
        """Puts the focus into the view in front, at once, so that the next key is that view's."""
        view = self.view
        if view is None:
            # It isn't made yet. Until then keys go nowhere.
            self.set_focus(None)
        elif self.focused is None or view not in self.focused.ancestors or not _is_shown(self.focused):
            self.set_focus(view.first)

    def _keep_focus_seen(self) -> None:
        """Runs once styles are applied: only then it is known what a class or the terminal's size has hidden."""
        # A terminal without the keyboard takes the focus away, and gives it back itself.
        if not self.app.app_focus or (self.focused is not None and _is_shown(self.focused)):
            return
        if any(_in_front(view) and view.first is not self.focused for view in self.query(View)):
            self.take_focus()


def _in_front(widget: Widget) -> bool:
    return all(pane.display for pane in widget.ancestors_with_self if isinstance(pane, TabPane))


def _is_shown(widget: Widget) -> bool:
    return all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))
