"""The last line: the keys that work now, and at its right what the last answer took."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget

from polyrag_cli.display.text import milliseconds
from polyrag_cli.types import Answer

NO_MODEL = "no model"


@dataclass(frozen=True, slots=True)
class ShownKey:
    """A key as the line shows it. key: as it is pressed; label: as people know it."""

    key: str
    label: str
    description: str
    enabled: bool

    @property
    def cells(self) -> int:
        """The cells that it takes, with those around it."""
        return cell_len(self.label) + cell_len(self.description) + 3


class StatusFooter(Widget, can_focus=False):
    """Keys, which a click presses, and the status; keys come first where the line is too narrow for both.

    One widget that draws a line: textual's own footer makes a widget of each key anew whenever the focus moves.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    StatusFooter { dock: bottom; height: 1; color: $footer-foreground; background: $footer-background; }
    """

    status: reactive[str] = reactive("")
    keys: reactive[tuple[ShownKey, ...]] = reactive(())
    # The place of the key under the mouse.
    _hovered: reactive[int | None] = reactive(None)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        # A terminal without the keyboard has no keys that work, and has them again with it.
        if self.app.app_focus and screen is self.screen:
            self.keys = shown_keys(screen)

    def render(self) -> Content:
        """The keys that fit, and the status where it fits as well."""
        ends = self._ends()
        parts = [_drawn(key, place == self._hovered) for place, key in enumerate(self.keys[: len(ends)])]
        left = self.size.width - (ends[-1] if ends else 0)
        if self.status and cell_len(self.status) + 2 <= left:
            parts.append(Content.styled(f"{self.status:>{left - 1}}", "$footer-description-foreground"))
        return Content.assemble(*parts)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hovered = self._at(event.x)

    def on_leave(self) -> None:
        self._hovered = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        place = self._at(event.x)
        if place is not None and self.keys[place].enabled:
            self.app.simulate_key(self.keys[place].key)

    def _at(self, x: int) -> int | None:
        """The place of the key that is drawn at a column."""
        return next((place for place, end in enumerate(self._ends()) if x < end), None)

    def _ends(self) -> list[int]:
        """Where each key that fits ends; the space behind the last one may be out of sight."""
        ends = accumulate(key.cells for key in self.keys)
        return [end for end in ends if end - 1 <= self.size.width]


def shown_keys(screen: Screen[object]) -> tuple[ShownKey, ...]:
    """The keys that a screen offers, one for each action, those of what has the focus first."""
    found: dict[str, ShownKey] = {}
    for _, binding, enabled, _ in screen.active_bindings.values():
        if binding.show and binding.action not in found:
            label = screen.app.get_key_display(binding)
            found[binding.action] = ShownKey(binding.key, label, binding.description, enabled)
    return tuple(found.values())


def _drawn(key: ShownKey, hovered: bool) -> Content:
    style = "" if key.enabled else " dim"
    ground = " on $block-hover-background" if hovered else ""
    return Content.assemble(
        (f" {key.label} ", f"bold $footer-key-foreground{ground}{style}"),
        (f"{key.description} ", f"$footer-description-foreground{ground}{style}"),
    )


def status(answer: Answer | None) -> str:
    """What an answer took, what wrote it, and its trace."""
    if answer is None:
        return ""
    parts = [milliseconds(answer.took_ms), "from the cache" if answer.cached else NO_MODEL]
    return " · ".join([*parts, f"trace {answer.trace_id[:4]}"] if answer.trace_id else parts)
