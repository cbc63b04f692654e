"""Latency of questions: warm by route, cache and span, and cold as whole processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.bench.machine import reference_ms
from polyrag_cli.scoring.metrics import percentile
from polyrag_cli.stores.activity import Activity
from polyrag_cli.types import Answer, SpanRecord

COLD_RUNS = 5
# Spans of these names are time spent in a model.
MODEL_SPANS = ("embed.", "chat.")

Rounds = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """Percentiles in milliseconds over n samples; kind is routing, route, cache, span or cold.

    rounds: the samples, round by round, so that a later run can be compared with its noise.
    """

    kind: str
    name: str
    n: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    rounds: Rounds


@dataclass(frozen=True, slots=True)
class ModelShare:
    """How much of a route's time was spent in models: `share` in [0, 1] of its total, `ms` the median of a question."""

    route: str
    share: float
    ms: float


@dataclass(frozen=True, slots=True)
class WarmRun:
    """Rows of routes, cache and spans; shares of models; the reference loop's milliseconds in each round."""

    rows: tuple[LatencyRow, ...]
    models: tuple[ModelShare, ...]
    machine_ms: tuple[float, ...]


def latency_row(kind: str, name: str, rounds: Sequence[Sequence[float]]) -> LatencyRow:
    """The row of some samples, in milliseconds; rounds without a sample are left out.

    Raises ValueError when there is no sample.
    """
    kept = tuple(tuple(round(value, 3) for value in one) for one in rounds if one)
    flat = [value for one in kept for value in one]
    p50, p95, p99 = (round(percentile(flat, q), 2) for q in (50, 95, 99))
    return LatencyRow(kind, name, len(flat), p50, p95, p99, kept)


@dataclass(slots=True)
class _Round:
    """The samples of one round, by row; model time and whole time by route."""

    samples: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    in_models: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    machine_ms: float = 0.0

    def add(self, answer: Answer) -> None:
        self.samples["route", answer.route].append(answer.took_ms)
        for record in answer.spans:
            self.samples["span", record.name].append(record.ms)
        if answer.spans:
            self.in_models[answer.route].append((model_ms(answer.spans), answer.took_ms))


def warm_run(engine: Engine, questions: Sequence[str], rounds: int, warmups: int) -> WarmRun:
    """Asks every question without the cache, then twice with an empty one: a miss and a hit.

    The first `warmups` rounds don't count. Clears the engine's cached answers.
    Raises UsageError when there is no question.
    """
    if not questions:
        raise UsageError(
            "nothing to measure: the corpus holds no tables and no headings.", "Name questions with --questions FILE."
        )
    counted = [_one_round(engine, questions) for _ in range(warmups + rounds)][warmups:]
    # Answers that are all declined are never served from the cache.
    names = sorted({key for one in counted for key, samples in one.samples.items() if samples}, key=_row_order)
    rows = [latency_row(kind, name, [one.samples.get((kind, name), []) for one in counted]) for kind, name in names]
    return WarmRun(tuple(rows), _shares(counted), tuple(one.machine_ms for one in counted))


def _row_order(key: tuple[str, str]) -> tuple[int, str]:
    return ("route", "cache", "span").index(key[0]), key[1]


def _one_round(engine: Engine, questions: Sequence[str]) -> _Round:
    one = _Round(machine_ms=reference_ms())
    for question in questions:
        one.add(engine.ask(question, use_cache=False))
    if engine.settings.cache.enabled:
        engine.activity.clear()
        for name in ("miss", "hit"):
            answers = [engine.ask(question) for question in questions]
            one.samples["cache", name] += [a.took_ms for a in answers if a.cached == (name == "hit")]
    return one


def model_ms(spans: Sequence[SpanRecord]) -> float:
    """Milliseconds in models: spans named embed.… or chat.…, without those inside another one of them."""
    inside = [False] * len(spans)
    total = 0.0
    for index, record in enumerate(spans):
        # Parents stand before their children.
        above = record.parent >= 0 and inside[record.parent]
        own = record.name.startswith(MODEL_SPANS)
        inside[index] = above or own
        total += record.ms if own and not above else 0.0
    return total


def _shares(rounds: Sequence[_Round]) -> tuple[ModelShare, ...]:
    found = []
    for route in sorted({route for one in rounds for route in one.in_models}):
        pairs = [pair for one in rounds for pair in one.in_models.get(route, [])]
        whole = sum(took for _, took in pairs)
        if any(ms for ms, _ in pairs) and whole > 0:
            share = sum(ms for ms, _ in pairs) / whole
            found.append(ModelShare(route, round(share, 4), round(median(ms for ms, _ in pairs), 3)))
    return tuple(found)


def routing_row(engine: Engine, questions: Sequence[str], rounds: int, warmups: int) -> LatencyRow:
    """Latency of the routing decision alone, embedding and evidence included."""
    times = [[engine.route(question).took_ms for question in questions] for _ in range(warmups + rounds)]
    return latency_row("routing", "decision", times[warmups:])


def cold_rows(
    engine: Engine, question: str, runs: int = COLD_RUNS, run: Callable[[list[str]], float] | None = None
) -> list[LatencyRow]:
    """Whole processes from start to exit: --help, route and ask, each after one run that doesn't count.

    run: milliseconds of one process with these arguments; by default it is started.
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
    timed = run or process_ms
    rows, begun = [], time.time()
    for name, arguments in commands.items():
        times = [timed(arguments) for _ in range(runs + 1)]
        rows.append(latency_row("cold", name, [[value] for value in times[1:]]))
    kept = Activity(engine.paths, engine.settings.tracing.keep)
    # A measurement must not stand among the questions that were asked.
    kept.forget_traces(question, begun)
    kept.close()
    return rows


def process_ms(arguments: list[str]) -> float:
    """Milliseconds of a whole `polyrag` process. Raises StoreError when it fails."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "polyrag_cli", *arguments], capture_output=True, check=False)
    took = (time.perf_counter() - started) * 1000
    # 1 is "nothing found": an answer like any other.
    if done.returncode not in (0, 1):
        raise StoreError(f"a process to be measured failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return took
