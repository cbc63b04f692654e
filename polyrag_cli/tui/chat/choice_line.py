"""The line below the question box: what can be clicked, what is forced, or a hint."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget


class ChoiceLine(Widget):
    """Ask, the route, the strategy, compare: each a link that says what the keys do as well."""

    DEFAULT_CSS = """
    ChoiceLine { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    class Wanted(Message):
        """Something was clicked. action: the chat view's action."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="choices")
        self._forced: tuple[str | None, str | None] = (None, None)
        self._hint = ""

    def forced(self, route: str | None, strategy: str | None) -> None:
        """Says what the next question is forced to."""
        self._forced = (route, strategy)
        self.refresh()

    def hint(self, text: str) -> None:
        """Says something until the box is changed; empty: says no more."""
        if text != self._hint:
            self._hint = text
            self.refresh()

    def render(self) -> Content:
        """The line."""
        if self._hint:
            return Content.styled(self._hint, "$text-warning")
        route, strategy = self._forced
        parts = [
            _link("ask", "submit", "bold"),
            _link(f"route {route or 'auto'}", "pick_route", "bold $text-accent" if route else ""),
            _link(f"strategy {strategy or 'auto'}", "pick_strategy", "bold $text-accent" if strategy else ""),
            _link("compare", "compare", ""),
        ]
        return Content(" · ").join(parts)

    def action_want(self, action: str) -> None:
        """Passes on what was clicked."""
        self.post_message(self.Wanted(action))


def _link(text: str, action: str, style: str) -> Content:
    return Content.styled(text, style).stylize(Style.from_meta({"@click": ("want", (action,))}))
