"""Widgets that only a subclass completes."""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING

from textual.widget import Widget

if TYPE_CHECKING:
    from textual.message_pump import _MessagePumpMeta as _WidgetMeta
else:
    # Textual's own metaclass has no public name.
    _WidgetMeta = type(Widget)


class AbstractWidgetMeta(ABCMeta, _WidgetMeta):
    """The metaclass of a widget with abstract methods: one that lacks any of them can't be made."""
