"""The dashboard as tests drive it: without a terminal, at a size, over a data directory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from polyrag_cli.engine import Engine
from polyrag_cli.tui.app import PolyRAGApp
from tests.command_line import PATIENCE_S

Flow = Callable[[PolyRAGApp, Pilot[None]], Awaitable[Any]]
NARROW, WIDE, FULL = (80, 24), (120, 40), (200, 60)


def dashboard(data: Path, **overrides: object) -> PolyRAGApp:
    """The application over a data directory, embedded by spelling unless `embedder` says otherwise."""
    settings = {"embedder.name": overrides.pop("embedder", "hashing"), **overrides}
    return PolyRAGApp(lambda: Engine.open(data_dir=data, overrides=settings))


def run(app: PolyRAGApp, flow: Flow, size: tuple[int, int] = WIDE) -> None:
    """Runs a flow in the application once all its views are there, and closes it and its engine."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.filled, "the views")
            await flow(app, pilot)

    try:
        asyncio.run(main())
    finally:
        # No thread of it runs any more.
        app.close_engine()


async def until(pilot: Pilot[None], condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    """Waits for a condition; fails naming what was waited for."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        await pilot.pause(0.01)


async def settled(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    """Waits until all that was posted by now is handled and drawn: what hasn't happened then won't."""
    done: list[bool] = []
    app.call_later(app.screen.call_after_refresh, app.call_later, done.append, True)
    await until(pilot, lambda: bool(done), "what was posted")
    await pilot.pause()


def screen_text(app: PolyRAGApp) -> str:
    """What stands on the screen, line by line."""
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines[:height])[
        : width * height * 4
    ]
