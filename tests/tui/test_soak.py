"""Hundreds of questions in one application: what it holds must not grow."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from polyrag_cli.tui import state
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.question_box import QuestionBox
from tests.tui.pilot import dashboard, run, settled, until

QUESTIONS = (
    "Quem autoriza a saída com vento forte segundo a Regra B1?",
    "Qual foi a receita total da linha Foz?",
    "When does the last ferry leave Foz in winter?",
    "xyzzy plugh frobnicate?",
    "Quantos passageiros teve a Amieira em janeiro? E quem reconstruiu o trapiche?",
)
SIZE = (100, 30)
PROC = Path("/proc/self")

pytestmark = pytest.mark.skipif(not PROC.exists(), reason="memory and open files are read from /proc")


def held(app: PolyRAGApp) -> dict[str, float]:
    """What the process and the application hold: MB, widgets, threads, file descriptors."""
    gc.collect()
    pages = int((PROC / "statm").read_text(encoding="ascii").split()[1])
    return {
        "memory": pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        "widgets": len(list(app.screen.walk_children())),
        "threads": threading.active_count(),
        "files": sum(1 for _ in (PROC / "fd").iterdir()),
    }


def soak(data: Path, count: int, pause: float, together: int) -> tuple[dict[str, float], dict[str, float]]:
    """Asks `count` questions, `together` at a time; what is held once the conversation is full, and at the end."""
    seen: list[dict[str, float]] = []

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.warm, "the engine")
        box = app.query_one(QuestionBox)
        warm = max(state.MAX_TURNS + 20, count // 2)
        for first in range(0, count, together):
            for number in range(first, first + together):
                # Half of them new to the cache.
                box.load_text(QUESTIONS[number % len(QUESTIONS)] + (f" ({number})" if number % 2 else ""))
                box.action_submit()
                await asyncio.sleep(pause)
            asked = min(state.MAX_TURNS, first + together)
            await until(pilot, partial(lambda n: len(app.questions.state.turns) >= n, asked), "the questions")
            await until(pilot, lambda: not app.questions.running, "the answers")
            if first + together in (warm, count):
                await until(pilot, lambda: app.query_one(ChatView)._ticking is None, "the last tick")
                await settled(app, pilot)
                seen.append(held(app))
        assert [turn.number for turn in app.questions.state.turns] == list(
            range(count - state.MAX_TURNS + 1, count + 1)
        )

    run(dashboard(data), flow, SIZE)
    return seen[0], seen[1]


def check(before: dict[str, float], after: dict[str, float], memory: float) -> None:
    """Nothing grew beyond noise. memory: MB that count as noise."""
    assert after["widgets"] <= before["widgets"] + 3, (before, after)
    assert after["threads"] <= before["threads"] + 2, (before, after)
    assert after["files"] <= before["files"] + 12, (before, after)
    assert after["memory"] <= before["memory"] + memory, (before, after)


def test_what_is_held_does_not_grow_over_many_questions(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A conversation that is full sooner: what comes then is what is looked at.
    monkeypatch.setattr(state, "MAX_TURNS", 10)
    before, after = soak(own_data, 60, 0.0, 5)
    check(before, after, 25.0)


@pytest.mark.long
def test_five_hundred_questions_in_ten_minutes(own_data: Path) -> None:
    started = time.monotonic()
    before, after = soak(own_data, 500, 1.2, 1)
    check(before, after, 25.0)
    assert time.monotonic() - started > 500
