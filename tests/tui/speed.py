# ruff: noqa: T201 - a script that prints
"""How quick the dashboard is, measured in this process: python -m tests.tui.speed [questions|typing|opening].

A time runs from the key event to the frame that shows its effect; what a frame would write to a terminal is made in
full, and is searched for what it must show. No terminal's own time is in it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from textual._compositor import CompositorUpdate
from textual.pilot import Pilot

from polyrag_cli.engine import Engine
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.details_sheet import DetailsSheet
from polyrag_cli.tui.chat.question_box import QuestionBox
from tests.command_line import ROOT
from tests.tui.pilot import run, until

QUESTIONS = 50
FILES = 2000
KEYS = 300


class Frames:
    """Every frame that the application draws: when it was ready to be written, and its text."""

    def __init__(self, app: PolyRAGApp) -> None:
        self._waiting: list[tuple[Callable[[str], bool], asyncio.Future[float]]] = []
        display = app._display

        def displayed(screen: Any, renderable: Any) -> None:
            display(screen, renderable)
            if renderable is None or not self._waiting:
                return
            text = renderable.render_segments(app.console) if isinstance(renderable, CompositorUpdate) else ""
            now = time.perf_counter()
            for shows, seen in self._waiting:
                if not seen.done() and shows(text):
                    seen.set_result(now)
            self._waiting = [entry for entry in self._waiting if not entry[1].done()]

        app._display = displayed  # type: ignore[method-assign]

    def when(self, shows: Callable[[str], bool]) -> asyncio.Future[float]:
        """The time of the first frame from now on whose text shows something."""
        seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((shows, seen))
        return seen


def golden(count: int = QUESTIONS) -> list[str]:
    """Questions over demo/."""
    items = yaml.safe_load((ROOT / "eval" / "golden.yaml").read_text(encoding="utf-8"))
    return [item["question"] for item in items[:: max(1, len(items) // count)]][:count]


def measure_questions(data: Path, questions: list[str]) -> dict[str, list[float]]:
    """Milliseconds from enter to the decision's frame, to the answer's, and what the engine took for the answer."""
    times: dict[str, list[float]] = {"decision": [], "answer": [], "engine": [], "drawing": []}

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        frames = Frames(app)
        await until(pilot, lambda: app.engine.done(), "the engine")
        await until(pilot, lambda: app.warm, "the warm-up", 60)
        panel, box = app.query_one(DetailsSheet), app.query_one(QuestionBox)
        for question in questions:
            box.load_text(question)
            await pilot.pause(0.1)
            number = app.questions._put + 1

            def decided(text: str, number: int = number) -> bool:
                turn = panel.turn
                return turn is not None and turn.number == number and turn.decision is not None and "stage" in text

            def answered(text: str, number: int = number) -> bool:
                turn = app.questions.state.turn(number)
                return turn is not None and turn.answer is not None and turn.answer.trace_id[:8] in text

            waiting = frames.when(decided), frames.when(answered)
            start, used = time.perf_counter(), time.thread_time()
            press(app, "enter")
            seen = await asyncio.wait_for(asyncio.gather(*waiting), 30)
            times["drawing"].append((time.thread_time() - used) * 1000)
            times["decision"].append((seen[0] - start) * 1000)
            times["answer"].append((seen[1] - start) * 1000)
            turn = app.questions.state.turn(number)
            assert turn is not None and turn.answer is not None
            times["engine"].append(turn.answer.took_ms)

    run(PolyRAGApp(lambda: Engine.open(data_dir=data, config=ROOT / "polyrag.toml")), flow, (140, 50))
    return times


def press(app: PolyRAGApp, key: str) -> None:
    """A key event, as the driver would hand it over."""
    from textual import events

    event = events.Key(key, key if len(key) == 1 else None)
    event.set_sender(app)
    app.post_message(event)


def _typed(box: QuestionBox, expected: str, frame: str) -> bool:
    return box.text == expected and expected[-1] in frame


def measure_typing(folder: Path, files: int = FILES, keys: int = KEYS) -> tuple[list[float], int]:
    """Milliseconds from a key to its frame while `files` files are ingested in this process; how many files were done
    when the last key was pressed."""
    source = folder / "source"
    source.mkdir()
    for i in range(files):
        text = f"# Note {i}\n\nStation {i % 97} reports a level of {i * 7 % 311} on day {i % 31}.\nNobody signed it.\n"
        (source / f"note_{i:05}.md").write_text(text, encoding="utf-8")
    times: list[float] = []
    done = [0]

    def told(count: int, *_: object) -> None:
        done[0] = count

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        frames = Frames(app)
        await until(pilot, lambda: app.engine.done(), "the engine")
        engine = app.engine.result()
        box = app.query_one(QuestionBox)
        work = app.run_worker(lambda: engine.ingest([source], on_progress=told), thread=True)
        await until(pilot, lambda: done[0] > 0, "the ingest", 60)
        for i in range(keys):
            letter = "abcdefghijklmnopqrstuvwxyz"[i % 26]
            expected = box.text + letter
            seen = frames.when(partial(_typed, box, expected))
            start = time.perf_counter()
            press(app, letter)
            times.append((await asyncio.wait_for(seen, 30) - start) * 1000)
            await asyncio.sleep(0.03)
            if i % 50 == 49:
                box.clear()
                await asyncio.sleep(0.05)
            if work.is_finished:
                break
        await app.workers.wait_for_complete([work])

    run(PolyRAGApp(lambda: Engine.open(data_dir=folder / "data", config=ROOT / "polyrag.toml")), flow, (140, 50))
    return times, done[0]


_OPENING = """
import os, sys, time
from polyrag_cli.tui.app import PolyRAGApp
def opened():
    from polyrag_cli.engine import Engine
    return Engine.open(data_dir=sys.argv[1])
app = PolyRAGApp(opened)
display = app._display
def displayed(screen, renderable):
    display(screen, renderable)
    if renderable is not None and "sk about" in renderable.render_segments(app.console):
        os.write(1, f"{time.time()} {time.process_time()}".encode())
        os._exit(0)
app._display = displayed
app.run(headless=True, size=(120, 40))
"""


def measure_opening(data: Path, times: int = 7) -> dict[str, list[float]]:
    """Milliseconds from the start of a process to its first frame that has the question box in it, and what of that
    was processor time."""
    found: dict[str, list[float]] = {"first frame": [], "processor time until then": []}
    for _ in range(times):
        start = time.time()
        out = subprocess.run(
            [sys.executable, "-c", _OPENING, str(data)], capture_output=True, text=True, check=False, cwd=ROOT
        )
        shown, used = map(float, out.stdout.split())
        found["first frame"].append((shown - start) * 1000)
        found["processor time until then"].append(used * 1000)
    return found


def percentile(times: list[float], share: float) -> float:
    """The value that a share of the times is not above."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(name: str, times: list[float]) -> str:
    """Median, 95th percentile and maximum in words."""
    return (
        f"{name:<28} n={len(times):<4} p50 {percentile(times, 0.5):6.1f}  p95 {percentile(times, 0.95):6.1f}"
        f"  max {max(times):6.1f} ms"
    )


def main(wanted: list[str]) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory(prefix="polyrag-speed-") as name:
        folder = Path(name)
        if not wanted or set(wanted) & {"questions", "opening"}:
            with Engine.open(data_dir=folder / "demo", config=ROOT / "polyrag.toml") as engine:
                engine.ingest([ROOT / "demo"])
        if not wanted or "opening" in wanted:
            for what, times in measure_opening(folder / "demo").items():
                print(line(what, times))
        if not wanted or "questions" in wanted:
            names = {
                "decision": "enter to decision",
                "answer": "enter to answer",
                "engine": "the answer in the engine",
                "drawing": "processor time of drawing",
            }
            for what, times in measure_questions(folder / "demo", golden()).items():
                print(line(names[what], times))
        if not wanted or "typing" in wanted:
            times, done = measure_typing(folder)
            print(line(f"key while ingesting ({done} files)", times))


if __name__ == "__main__":
    main(sys.argv[1:])
