"""Throughput: several clients asking one engine at once, and the rate of ingesting."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event

from polyrag_cli.engine import Engine
from polyrag_cli.errors import LoadError, UsageError
from polyrag_cli.evaluation.bench.machine import peak_memory
from polyrag_cli.scoring.metrics import percentile

MAX_CLIENTS = 64


@dataclass(frozen=True, slots=True)
class ThroughputRow:
    """Questions a second with so many clients: the median of the passes; a question's latency meanwhile in ms.

    rates: questions a second of each pass. n: questions in all that counted.
    """

    clients: int
    n: int
    questions_per_s: float
    p50_ms: float
    p95_ms: float
    rates: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class IngestRate:
    """What ingesting some paths into an empty data directory took; peak_mb: resident memory at its highest."""

    files: int
    chunks: int
    windows: int
    tables: int
    seconds: float
    chunks_per_s: float
    windows_per_s: float
    peak_mb: float | None


def parse_clients(text: str) -> tuple[int, ...]:
    """Numbers of clients, as in "1,4"; "0" or an empty text for none.

    Raises UsageError for anything else.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) <= MAX_CLIENTS for part in parts):
        raise UsageError(f"--clients {text}: not a list of numbers up to {MAX_CLIENTS}.", "Write --clients 1,4.")
    return tuple(sorted({int(part) for part in parts if int(part)}))


def throughput_row(engine: Engine, questions: Sequence[str], clients: int, passes: int) -> ThroughputRow:
    """Threads in one engine, each asking all questions once a pass, from another one on; the cache is left out.

    One pass more is made first, which doesn't count.
    """

    def client(number: int) -> list[float]:
        first = number * len(questions) // clients
        ordered = [*questions[first:], *questions[:first]]
        return [engine.ask(question, use_cache=False).took_ms for question in ordered if not stopped.is_set()]

    # The pool waits for its threads: an interrupted one must not ask the rest of its questions first.
    stopped = Event()
    rates: list[float] = []
    times: list[float] = []
    with ThreadPoolExecutor(clients, thread_name_prefix="client") as pool:
        for number in range(passes + 1):
            started = time.perf_counter()
            try:
                took = [ms for own in pool.map(client, range(clients)) for ms in own]
            except BaseException:
                stopped.set()
                raise
            seconds = time.perf_counter() - started
            if number:
                rates.append(round(len(took) / seconds, 2))
                times += took
    p50, p95 = (round(percentile(times, q), 2) for q in (50, 95))
    return ThroughputRow(clients, len(times), round(median(rates), 2), p50, p95, tuple(rates))


def ingest_rate(engine: Engine, paths: Sequence[Path]) -> IngestRate:
    """Ingests paths under the engine's settings into a temporary data directory, which is removed.

    Loading the embedder's weights doesn't count. Raises UsageError for a missing path, LoadError when nothing in the
    paths can be read.
    """
    with (
        TemporaryDirectory(prefix="polyrag-bench-") as folder,
        Engine(engine.settings.with_data(Path(folder) / "data")) as fresh,
    ):
        fresh.embedder.embed_query("warm")
        with peak_memory() as peak:
            started = time.perf_counter()
            report = fresh.ingest(list(paths))
            seconds = time.perf_counter() - started
        with fresh.catalog.snapshot() as snapshot:
            counts = fresh.catalog.counts(snapshot)
    added = sum(file.status == "added" for file in report.files)
    if not added:
        raise LoadError(f"{', '.join(map(str, paths))}: nothing in it can be ingested.", "Name files or folders.")
    chunks, windows, tables = (counts[name] for name in ("chunks", "windows", "tables"))
    return IngestRate(
        files=added,
        chunks=chunks,
        windows=windows,
        tables=tables,
        seconds=round(seconds, 3),
        chunks_per_s=round(chunks / seconds, 1),
        windows_per_s=round(windows / seconds, 1),
        peak_mb=peak.mb,
    )
