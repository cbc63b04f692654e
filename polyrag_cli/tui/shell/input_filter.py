"""What of keys, pastes, clicks and sizes reaches the dashboard, and in which form."""

from __future__ import annotations

from time import monotonic
from typing import Any

from textual import events
from textual.app import App
from textual.errors import NoWidget
from textual.geometry import Size
from textual.screen import Screen

from polyrag_cli.display.text import printable

LEAST = Size(20, 5)
"""The smallest terminal that is drawn for: in a smaller one the rest is out of sight, as text can't be broken into no
cells."""
# Keys whose screens draw slower than a held key repeats; how late a repeat may come; how soon after the key it must be.
_SCREEN_KEYS = frozenset({"ctrl+p", "f1", "f6", "f7", "f8", "f9"})
_LATE_S, _HELD_S = 0.5, 1.0


class InputFilter:
    """Passes events on. used: whether somebody has typed, pasted or clicked yet."""

    def __init__(self) -> None:
        self.used = False
        self._key = events.Key("", None)

    def passed(self, event: events.Event, app: App[Any]) -> events.Event | None:
        """The event as it is to be handled; None for a click on what is gone and for a held key's late repeat. Pastes
        are freed of control characters."""
        match event:
            case events.Resize():
                size = Size(max(LEAST.width, event.size.width), max(LEAST.height, event.size.height))
                return event if size == event.size else events.Resize(size, size)
            case events.Paste():
                self.used = True
                event.text = printable(event.text.replace("\r\n", "\n").replace("\r", "\n"))
            case events.MouseDown():
                self.used = True
                return None if _is_gone(event, app.screen) else event
            case events.Key():
                self.used = True
                return None if self._repeats_late(event) else event
        return event

    def _repeats_late(self, event: events.Key) -> bool:
        repeated, self._key = event.key == self._key.key and event.time - self._key.time < _HELD_S, event
        return repeated and event.key in _SCREEN_KEYS and monotonic() - event.time > _LATE_S


def _is_gone(event: events.MouseDown, screen: Screen[object]) -> bool:
    """Whether what is still seen under the mouse was removed since it was drawn; a selection can't begin there."""
    try:
        widget, _ = screen.get_widget_at(event.x, event.y)
    except NoWidget:
        return False
    return widget is not screen and widget.parent is None
