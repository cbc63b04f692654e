"""Latency of questions, warm by route and by span, and cold as whole processes. Must never print."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.scoring.metrics import percentile

COLD_RUNS = 5


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """p50 and p95 in milliseconds over n runs; kind is route, span, cache or cold."""

    kind: str
    name: str
    n: int
    p50_ms: float
    p95_ms: float


def own_questions(engine: Engine, limit: int = 24) -> list[str]:
    """Questions made from the corpus itself, in a fixed order: totals of tables' number columns, and headings."""
    totals = []
    for schema in engine.tables():
        numeric = [c for c in schema.columns if c.type in ("integer", "number")]
        totals += [f"total {column.label} {schema.label}" for column in numeric[:2]]
    headings = [f"{heading.split(' › ')[-1]}?" for heading in engine.headings()]
    pairs = [q for pair in zip(totals, headings, strict=False) for q in pair]
    rest = totals[len(pairs) // 2 :] + headings[len(pairs) // 2 :]
    return list(dict.fromkeys([*pairs, *rest]))[:limit]


def warm_rows(engine: Engine, questions: Sequence[str], rounds: int, warmups: int) -> list[LatencyRow]:
    """Latency per route, per span and of cache hits; the first `warmups` rounds don't count.

    Raises UsageError when there is no question.
    """
    if not questions:
        raise UsageError(
            "nothing to measure: the corpus holds no tables and no headings.", "Name questions with --questions FILE."
        )
    routes: dict[str, list[float]] = defaultdict(list)
    spans: dict[str, list[float]] = defaultdict(list)
    cached: list[float] = []
    for number in range(warmups + rounds):
        for question in questions:
            answer = engine.ask(question, use_cache=False)
            again = _cached_time(engine, question)
            if number < warmups:
                continue
            routes[answer.route].append(answer.took_ms)
            for span in answer.spans:
                spans[span.name].append(span.ms)
            cached += again
    rows = [_row("route", name, values) for name, values in sorted(routes.items())]
    rows += [_row("cache", "hit", cached)] if cached else []
    return rows + [_row("span", name, values) for name, values in sorted(spans.items())]


def _cached_time(engine: Engine, question: str) -> list[float]:
    engine.ask(question)
    answer = engine.ask(question)
    return [answer.took_ms] if answer.cached else []


def routing_row(engine: Engine, questions: Sequence[str], rounds: int) -> LatencyRow:
    """Latency of the routing decision alone, embedding and evidence included."""
    times = [engine.route(question).took_ms for _ in range(rounds) for question in questions]
    return _row("routing", "decision", times[len(questions) :] or times)


def cold_rows(engine: Engine, question: str, runs: int = COLD_RUNS) -> list[LatencyRow]:
    """Whole processes from start to exit: --help, route and ask, each after one run that doesn't count.

    Raises StoreError when a process fails: its time would be that of an error message.
    """
    data = ["--data", str(engine.paths.root)]
    config = ["--config", str(engine.settings.file)] if engine.settings.file else []
    flags = [
        (key, value) for key, value, origin in engine.settings.listed() if origin == "flag" and key != "paths.data"
    ]
    same = [part for key, value in flags for part in ("--override", f"{key}={value}")]
    commands = {
        "--help": ["--help"],
        "route": [*data, *config, "route", *same, "--", question],
        "ask": [*data, *config, "ask", "--no-cache", *same, "--", question],
    }
    rows = []
    for name, arguments in commands.items():
        times = [_process_ms(arguments) for _ in range(runs + 1)]
        rows.append(_row("cold", name, times[1:]))
    return rows


def _process_ms(arguments: list[str]) -> float:
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "polyrag_cli", *arguments], capture_output=True, check=False)
    took = (time.perf_counter() - started) * 1000
    # 1 is "nothing found": an answer like any other.
    if done.returncode not in (0, 1):
        raise StoreError(f"a process to be measured failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return took


def _row(kind: str, name: str, values: Sequence[float]) -> LatencyRow:
    return LatencyRow(kind, name, len(values), round(percentile(values, 50), 2), round(percentile(values, 95), 2))
