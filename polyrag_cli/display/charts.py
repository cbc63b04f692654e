"""Line charts as SVG text, both axes logarithmic.

Series differ by marker and dashes as well as by colour, and each is named at its end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 930, 540
_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 250, 60, 64
_LABEL_STEP = 17.0
# Okabe and Ito's colours, which most kinds of colour blindness keep apart; yellow is left out on white.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_DASHES = ("", "7 4", "2 3")
_INK, _GRID = "#222222", "#d8d8d8"


@dataclass(frozen=True, slots=True)
class _Axis:
    """Decades from 10^low to 10^high over the pixels from `start` to `end`."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> _Axis:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return cls(low, max(high, low + 1), start, end)

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    @property
    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def log_chart(title: str, x_label: str, y_label: str, series: Mapping[str, Points]) -> str:
    """An SVG picture of some series over logarithmic axes, 930 × 540 pixels.

    series: name → points of positive numbers, in the order of their x.
    Raises ValueError without a point, or for a number that isn't positive.
    """
    points = [point for own in series.values() for point in own]
    if not points or not all(value > 0 and math.isfinite(value) for point in points for value in point):
        raise ValueError("a logarithmic chart needs points, all of positive numbers")
    x = _Axis.over([point[0] for point in points], _LEFT, WIDTH - _RIGHT)
    y = _Axis.over([point[1] for point in points], HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 30, title, size=17),
        *_grid(x, y),
        _text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 16, x_label, anchor="middle"),
        _text(24, (_TOP + HEIGHT - _BOTTOM) / 2, y_label, anchor="middle", turned=True),
    ]
    named = {name: own for name, own in series.items() if own}
    for index, (name, own) in enumerate(named.items()):
        parts += _line(index, name, [(x.at(a), y.at(b)) for a, b in own])
    parts += _names([(name, y.at(own[-1][1]), x.at(own[-1][0])) for name, own in named.items()])
    return "\n".join([*parts, "</svg>"]) + "\n"


def _grid(x: _Axis, y: _Axis) -> list[str]:
    lines = []
    for tick in x.ticks:
        at = x.at(tick)
        lines.append(f'<path d="M{at} {y.start}V{y.end}" stroke="{_GRID}"/>')
        lines.append(_text(at, HEIGHT - _BOTTOM + 20, _number(tick), anchor="middle"))
    for tick in y.ticks:
        at = y.at(tick)
        lines.append(f'<path d="M{x.start} {at}H{x.end}" stroke="{_GRID}"/>')
        lines.append(_text(_LEFT - 8, at + 4, _number(tick), anchor="end"))
    return lines


def _line(index: int, name: str, at: Sequence[tuple[float, float]]) -> list[str]:
    colour = _COLOURS[index % len(_COLOURS)]
    # Four markers with three kinds of line: twelve series before two look alike.
    dash = _DASHES[index // 4 % len(_DASHES)]
    path = "L".join(f"{a} {b}" for a, b in at)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    line = f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}>'
    return [f"{line}<title>{escape(name)}</title></path>", *(_marker(index, a, b, colour) for a, b in at)]


def _marker(index: int, x: float, y: float, colour: str) -> str:
    shapes = (
        f'<circle cx="{x}" cy="{y}" r="4"',
        f'<path d="M{x - 4} {y - 4}h8v8h-8z"',
        f'<path d="M{x} {y - 5}l5 9h-10z"',
        f'<path d="M{x} {y - 5}l5 5l-5 5l-5 -5z"',
    )
    return f'{shapes[index % len(shapes)]} fill="{colour}"/>'


def _names(ends: Sequence[tuple[str, float, float]]) -> list[str]:
    """Each series' name right of the plot, at its end or as near as the names above and below it allow."""
    ordered = sorted(enumerate(ends), key=lambda item: (item[1][1], item[0]))
    spots: list[float] = []
    for _, (_, at, _) in ordered:
        spots.append(max(at, spots[-1] + _LABEL_STEP) if spots else at)
    # What was pushed out at the bottom moves up again, and pushes its neighbours.
    for place in range(len(spots) - 1, -1, -1):
        limit = HEIGHT - _BOTTOM if place == len(spots) - 1 else spots[place + 1] - _LABEL_STEP
        spots[place] = min(spots[place], limit)
    parts = []
    for spot, (index, (name, at, x)) in zip(spots, ordered, strict=True):
        colour = _COLOURS[index % len(_COLOURS)]
        label = WIDTH - _RIGHT + 24
        parts.append(f'<path d="M{x + 6} {at}L{label - 5} {spot}" stroke="{colour}" stroke-width="0.8"/>')
        parts.append(_text(label, spot + 4, name))
    return parts


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 13, turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
    placed = f'<text x="{x}" y="{round(y, 1)}" text-anchor="{anchor}" font-size="{size}" fill="{_INK}"{turn}>'
    return f"{placed}{escape(text)}</text>"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:.10f}".rstrip("0")
