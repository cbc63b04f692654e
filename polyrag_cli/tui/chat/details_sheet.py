"""One turn's decision and its waterfall, as one sheet that scrolls.

A single widget that draws lines: while a question runs it changes several times within a few milliseconds, and a
layout of the whole screen would cost more than the question.
"""

from __future__ import annotations

import time

from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from polyrag_cli.tui.chat.turn_decision import decision_key, turn_decision
from polyrag_cli.tui.chat.turn_spans import known_spans, turn_spans
from polyrag_cli.tui.state import Turn
from polyrag_cli.tui.widgets.decision_panel import source_notes
from polyrag_cli.tui.widgets.drawn import joined

# How often bars of running spans grow: there are many, and drawing them takes time from the question.
_SPANS_EVERY_S = 0.08


class DetailsSheet(ScrollView, can_focus=False):
    """The decision above, the waterfall below it, then what the decision's numbers come from."""

    DEFAULT_CSS = """
    DetailsSheet { height: 1fr; overflow-x: hidden; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="details")
        self.turn: Turn | None = None
        self._decision: list[Strip] = []
        self._rest: list[Strip] = []
        self._rest_due = 0.0
        # A widget's style is looked up through its ancestors: too dear for every empty line.
        self._blank = Strip([])

    @property
    def lines(self) -> list[str]:
        """What is drawn, line by line, also what is out of sight."""
        return [strip.text[1:].rstrip() for strip in (*self._decision, *self._rest)]

    def show(self, turn: Turn | None) -> bool:
        """Draws what of the turn differs from what is drawn, running spans as long as they have lasted by now; says
        whether the decision differed."""
        before, self.turn = self.turn, turn
        if decision_key(turn) != decision_key(before):
            if turn is None or before is None or turn.number != before.number:
                self.scroll_to(y=0, animate=False, immediate=True)
            self._draw_all()
            return True
        if turn is not None and turn.phase == "asking":
            if time.monotonic() >= self._rest_due:
                self._draw_rest()
        elif known_spans(turn) is not known_spans(before):
            self._draw_rest()
        return False

    def render_line(self, y: int) -> Strip:
        """One line of what is seen."""
        at = y + self.scroll_offset.y
        if at < len(self._decision):
            return self._decision[at]
        at -= len(self._decision)
        return self._rest[at] if at < len(self._rest) else self._blank

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region, without the widget's padding and border being worked out for each: there are none."""
        filters, background = self.get_line_filters(), self.background_colors[1]
        strips = []
        for y in crop.line_range:
            strip = self.render_line(y)
            for line_filter in filters:
                strip = strip.apply_filter(line_filter, background)
            strips.append(strip if crop.column_span == (0, strip.cell_length) else strip.crop(crop.x, crop.right))
        return strips

    def on_resize(self) -> None:
        self._draw_all()

    def notify_style_update(self) -> None:
        """Called when the theme changes: lines that are kept have the old one's colours."""
        super().notify_style_update()
        if self.is_mounted:
            self._draw_all()

    def _draw_all(self) -> None:
        self._blank = Strip.blank(self.size.width, self.rich_style)
        self._decision = self._drawn(turn_decision(self.turn, self._width))
        self._draw_rest()
        self.refresh()

    def _draw_rest(self) -> None:
        self._rest_due = time.monotonic() + _SPANS_EVERY_S
        drawn = len(self._rest)
        spans = turn_spans(self.turn, time.time() * 1000, self._width)
        # What the numbers come from is read seldom, and not while the question runs.
        decision = self.turn.decision if self.turn is not None and self.turn.phase != "asking" else None
        notes = source_notes(decision, self._width) if decision is not None else []
        self._rest = self._drawn([line for part in (spans, notes) if part for line in (Content(""), *part)])
        height, seen = len(self._decision) + len(self._rest), self.size.height
        # Setting the virtual size costs a layout: only where there is, or was, something to scroll.
        if height > seen or self.virtual_size.height > seen:
            self.virtual_size = Size(self.size.width, height)
        top = len(self._decision) - self.scroll_offset.y
        self.refresh(Region(0, max(0, top), self.size.width, max(0, min(seen, top + max(drawn, len(self._rest))))))

    @property
    def _width(self) -> int:
        # A column stays empty on either side.
        return max(1, self.size.width - 2)

    def _drawn(self, lines: list[Content]) -> list[Strip]:
        if not lines or self.size.width < 3:
            return []
        drawn = Visual.to_strips(self, joined(lines), self._width, None, self.visual_style, pad=True)
        side = self._blank.crop(0, 1)
        return [Strip.join([side, strip, side]) for strip in drawn]
