"""Which traces are listed: the choice as a value, and the line that shows and changes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static

from polyrag_cli.display.text import milliseconds

_AT_LEAST = re.compile(r"(?:^|\s)>\s*(\d+(?:\.\d+)?)\s*(?:ms)?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Filter:
    """What is listed. route: "" for all; text: words of the question, the beginning of an id, or `>50` for at least
    50 ms."""

    route: str = ""
    slow: bool = False
    cached: bool = False
    failed: bool = False
    text: str = ""

    def next_route(self, routes: Sequence[str]) -> Filter:
        """The same with the next of the routes, after the last one with all of them."""
        order = ["", *routes]
        return replace(self, route=order[(order.index(self.route) + 1) % len(order)] if self.route in order else "")

    def least_ms(self, p95: float) -> float | None:
        """The shortest time that is listed: the one that the text names, or the 95th percentile for slow ones."""
        named = [float(number) for number in _AT_LEAST.findall(self.text)]
        return max([*named, *([p95] if self.slow else [])], default=None)

    @property
    def words(self) -> str:
        """The text without the times that it names."""
        return " ".join(_AT_LEAST.sub(" ", self.text).split())


class FilterItem(Static):
    """One switch of the filter: its key, its name and whether it is on; a click flips it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    FilterItem { width: auto; height: 1; margin-right: 2; }
    FilterItem:hover { background: $block-hover-background; }
    """

    class Flipped(Message):
        """A switch was clicked. name: its name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, key: str, name: str) -> None:
        super().__init__(id=name)
        self.key = key

    def show(self, state: str, on: bool) -> None:
        """Draws the switch."""
        mark = "●" if on else "○"
        self.update(Content.assemble((self.key, "bold"), f" {mark} {state}"))

    def on_click(self) -> None:
        self.post_message(self.Flipped(self.id or ""))


class FilterLine(Vertical):
    """The filter's switches, and its box below them."""

    DEFAULT_CSS = """
    FilterLine { height: 2; padding: 0 1; }
    FilterLine Horizontal { height: 1; }
    FilterLine Input { width: 1fr; }
    """

    chosen: reactive[Filter] = reactive(Filter())
    p95: reactive[float] = reactive(0.0)

    def compose(self) -> ComposeResult:
        with Horizontal():
            for key, name in (("o", "route"), ("s", "slow"), ("c", "cached"), ("f", "failed")):
                yield FilterItem(key, name)
        yield Input(
            placeholder="/ words of the question, a trace id, or >50 for at least 50 ms",
            compact=True,
            select_on_focus=False,
        )

    def on_mount(self) -> None:
        self._show()

    def watch_chosen(self) -> None:
        self._show()

    def watch_p95(self) -> None:
        self._show()

    def _show(self) -> None:
        if not self.query(FilterItem):
            return
        chosen = self.chosen
        slow = f"slow ≥ {milliseconds(self.p95)}" if chosen.slow else "slow"
        self.query_one("#route", FilterItem).show(chosen.route or "all routes", bool(chosen.route))
        self.query_one("#slow", FilterItem).show(slow, chosen.slow)
        self.query_one("#cached", FilterItem).show("cached", chosen.cached)
        self.query_one("#failed", FilterItem).show("failed", chosen.failed)
