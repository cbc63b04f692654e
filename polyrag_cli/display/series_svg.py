"""A series as an SVG picture: bars for labels, a line for points in time; text is escaped, nothing in it runs."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from polyrag_cli.display.series import Figures, Series
from polyrag_cli.display.text import clip, counted, printable

WIDTH = 930
MOST_BARS = 200
_LABELS, _FIGURES, _TOP, _BAR = 240, 130, 64, 24
_LINE_HEIGHT, _LEFT, _BOTTOM = 420, 110, 56
_TICKS = 6
_COLOUR, _INK, _GRID = "#0072b2", "#222222", "#d8d8d8"


def series_svg(series: Series, title: str, figures: Figures) -> str:
    """A picture of a series, 930 pixels wide. title: stands above it; figures: how a number is written."""
    if series.is_time and len(series.points) > 2:
        height, body = _TOP + _LINE_HEIGHT + _BOTTOM, _line(series, figures)
    else:
        shown = min(len(series.points), MOST_BARS)
        height, body = _TOP + shown * _BAR + 40, _bars(series, figures)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="system-ui, sans-serif" font-size="13">',
        f"<title>{_safe(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(20, 30, clip(title, 100), size=17),
        _text(20, 50, f"{series.name} · {series.label}"),
        *body,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bars(series: Series, figures: Figures) -> list[str]:
    room = WIDTH - _LABELS - _FIGURES
    low, high = min(0.0, *series.values), max(0.0, *series.values)
    span = high - low or 1.0
    zero = _LABELS + room * -low / span
    parts = []
    for row, (name, value) in enumerate(series.points[:MOST_BARS]):
        y = _TOP + row * _BAR
        parts.append(_text(_LABELS - 8, y + 16, clip(name, 32), anchor="end"))
        if value is None:
            parts.append(_text(zero + 6, y + 16, "·"))
            continue
        length = room * abs(value) / span
        x = zero - length if value < 0 else zero
        parts.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="{_BAR - 6}" fill="{_COLOUR}"/>')
        parts.append(_text(WIDTH - 12, y + 16, figures(value), anchor="end"))
    bottom = _TOP + min(len(series.points), MOST_BARS) * _BAR
    parts.append(f'<path d="M{zero:.1f} {_TOP}V{bottom}" stroke="{_INK}"/>')
    if len(series.points) > MOST_BARS:
        parts.append(_text(_LABELS, bottom + 22, f"… {counted(len(series.points) - MOST_BARS, 'more row')}"))
    return parts


def _line(series: Series, figures: Figures) -> list[str]:
    ticks = _ticks(min(series.values), max(series.values))
    bottom, right = _TOP + _LINE_HEIGHT, WIDTH - 30

    def x(place: int) -> float:
        return _LEFT + (right - _LEFT) * place / (len(series.points) - 1)

    def y(value: float) -> float:
        return bottom - _LINE_HEIGHT * (value - ticks[0]) / (ticks[-1] - ticks[0])

    parts = []
    for tick in ticks:
        parts.append(f'<path d="M{_LEFT} {y(tick):.1f}H{right}" stroke="{_GRID}"/>')
        parts.append(_text(_LEFT - 8, y(tick) + 4, figures(tick), anchor="end"))
    every = math.ceil(len(series.points) / 8)
    for place in range(0, len(series.points), every):
        parts.append(_text(x(place), bottom + 22, series.points[place][0], anchor="middle"))
    for run in _runs(series):
        path = "L".join(f"{x(place):.1f} {y(value):.1f}" for place, value in run)
        parts.append(f'<path d="M{path}" fill="none" stroke="{_COLOUR}" stroke-width="2"/>')
        parts += (
            f'<circle cx="{x(place):.1f}" cy="{y(value):.1f}" r="3" fill="{_COLOUR}">'
            f"<title>{_safe(series.points[place][0])}: {_safe(figures(value))}</title></circle>"
            for place, value in run
        )
    return parts


def _runs(series: Series) -> list[list[tuple[int, float]]]:
    """The stretches of points without a gap."""
    runs: list[list[tuple[int, float]]] = [[]]
    for place, (_, value) in enumerate(series.points):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if run]


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers around a span that begin at zero where it lies near."""
    if low > 0 and low < high / 2:
        low = 0.0
    span = (high - low) or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span / _TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= _TICKS)
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return [round(place * step, 12) for place in range(first, last + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 13) -> str:
    placed = f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{_INK}">'
    return f"{placed}{_safe(text)}</text>"


def _safe(text: str) -> str:
    return escape(printable(text))
