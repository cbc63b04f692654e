"""How long questions took lately, by route: a sparkline, the median and the 95th percentile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from polyrag_cli.display.text import clip, milliseconds
from polyrag_cli.tui.widgets.drawn import Drawn, joined

if TYPE_CHECKING:
    from polyrag_cli.stores.activity import TraceRecord

CACHE = "from the cache"
"""The row of answers that no route was asked for."""
SHOWN = 24
"""Questions in a sparkline, the newest at its right."""
_STEPS = "▁▂▃▄▅▆▇"


@dataclass(frozen=True, slots=True)
class Latency:
    """One route's times. recent: milliseconds of its newest questions, oldest first."""

    route: str
    count: int
    p50: float
    p95: float
    recent: tuple[float, ...]


def latencies(traces: Iterable[TraceRecord]) -> tuple[Latency, ...]:
    """Times by route, routes by name, cached answers last. traces: newest first."""
    from polyrag_cli.scoring.metrics import percentile

    times: dict[str, list[float]] = {}
    for trace in traces:
        times.setdefault(CACHE if trace.cached else trace.route, []).append(trace.took_ms)
    return tuple(
        Latency(route, len(ms), percentile(ms, 50), percentile(ms, 95), tuple(reversed(ms[:SHOWN])))
        for route, ms in sorted(times.items(), key=lambda item: (item[0] == CACHE, item[0]))
    )


def spark(values: Sequence[float]) -> str:
    """Values as columns of block characters, the largest one seven eighths high; nothing is below one eighth."""
    top = max(values, default=0.0)
    if top <= 0:
        return _STEPS[0] * len(values)
    return "".join(_STEPS[round(max(0.0, value) / top * (len(_STEPS) - 1))] for value in values)


class LatencyPanel(Drawn):
    """A line a route."""

    DEFAULT_CSS = """
    LatencyPanel { height: auto; max-height: 7; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Latency, ...] = ()

    def show(self, rows: tuple[Latency, ...]) -> None:
        """Draws the times."""
        if rows != self.rows:
            self.rows = rows
            self.redraw()

    def draw(self, width: int) -> Content:
        """A table whose sparklines take the room that there is, one cell a question."""
        if not self.rows:
            return Content.styled("No question was asked yet.", "$text-muted")
        room = max(4, min(SHOWN, width - 42))
        head = f"{'latency':<14} {'newest':<{room}} {'p50':>8} {'p95':>8} {'n':>5}"
        lines = [
            f"{clip(row.route, 14):<14} {spark(row.recent[-room:]):<{room}}"
            f" {milliseconds(row.p50):>8} {milliseconds(row.p95):>8} {row.count:>5}"
            for row in self.rows
        ]
        return joined([Content.styled(head, "$text-muted"), *map(Content, lines)])
