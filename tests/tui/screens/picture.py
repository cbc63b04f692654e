"""The dashboard's screen as SVG that is the same in every run, and the screens that are drawn so."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input, TextArea

from polyrag_cli.tui.app import PolyRAGApp
from tests.command_line import PATIENCE_S
from tests.tui.pilot import FULL, NARROW, WIDE, run, until
from tests.tui.screens.frozen import FrozenEngine
from tests.tui.talk import put

SIZES = {"80x24": NARROW, "120x40": WIDE, "200x60": FULL}
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_UNIQUE = re.compile(r"terminal-\d+(?=-|\b)")
_SPACE = re.compile(r"[ \t]+$", re.MULTILINE)
_CLOCK = re.compile(r"\b\d\d:\d\d:\d\d\b")
_SETTLED = 6

Steps = Callable[[PolyRAGApp, Pilot[None]], Awaitable[Any]]


def svg(app: PolyRAGApp) -> str:
    """The screen as SVG: no embedded fonts, no ids made by chance, no time of day."""
    text = app.export_screenshot(title="polyrag tui", simplify=True)
    text = _CLOCK.sub("12:00:00", _SPACE.sub("", _FONTS.sub("", _UNIQUE.sub("p", text))))
    return text.rstrip() + "\n"


def frozen(data: Path, overrides: Mapping[str, Any], config: Path | None = None) -> PolyRAGApp:
    """The application over a data directory, whose times stand still."""
    return PolyRAGApp(lambda: FrozenEngine.open(data_dir=data, config=config, overrides=overrides))


def drawn(app: PolyRAGApp, steps: Steps, sizes: Mapping[str, tuple[int, int]] = SIZES) -> dict[str, str]:
    """What the screen looks like at each size after some steps, when nothing moves any more."""
    pictures: dict[str, str] = {}

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.summary is not None, "the corpus")
        await steps(app, pilot)
        for name, size in sizes.items():
            await pilot.resize_terminal(*size)
            await settled(app, pilot)
            pictures[name] = svg(app)

    ticks = itertools.count(0.0, 0.0031)
    with patch("polyrag_cli.tui.search.search_view.time", SimpleNamespace(perf_counter=lambda: next(ticks))):
        run(app, flow, NARROW)
    return pictures


async def settled(app: PolyRAGApp, pilot: Pilot[None], seconds: float = PATIENCE_S) -> None:
    """Waits until the picture has stayed the same for a while; cursors stop blinking."""
    deadline, times = time.monotonic() + seconds, 0
    seen: list[Strip] = []
    while times < _SETTLED:
        assert time.monotonic() < deadline, "the screen doesn't come to rest"
        for field in app.screen.query("TextArea, Input"):
            if isinstance(field, (TextArea, Input)):
                field.cursor_blink = False
        await pilot.pause(0.05)
        # Drawing it takes far longer than looking at what is drawn.
        drawn = app.screen._compositor.render_strips()
        resting = drawn == seen and all(worker.is_finished for worker in app.workers)
        times = times + 1 if resting else 0
        seen = drawn


def chat(*questions: str) -> Steps:
    """The chat view after some questions."""

    async def steps(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        for question in questions:
            await put(app, pilot, question)

    return steps


def corpus() -> Steps:
    """The corpus view as it opens."""

    async def steps(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await pilot.press("f3")

    return steps


def chunk(file: int, place: int) -> Steps:
    """The corpus view with one chunk open. file: its row from 0; place: the chunk's row in its file from 0."""

    async def steps(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        for keys in (["f3"], ["down"] * file + ["enter"], ["down"] * place + ["enter"]):
            await pilot.press(*keys)
            await settled(app, pilot)

    return steps


def search(query: str) -> Steps:
    """The search view with the hits of a query."""

    async def steps(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await pilot.press("f4")
        await settled(app, pilot)
        await pilot.press(*(_KEYS.get(character, character) for character in query), "enter")

    return steps


def telemetry(*questions: str) -> Steps:
    """The telemetry view after some questions."""

    async def steps(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        for question in questions:
            await put(app, pilot, question)
        await pilot.press("f5")

    return steps


_KEYS = {" ": "space", "?": "question_mark", "-": "minus"}
