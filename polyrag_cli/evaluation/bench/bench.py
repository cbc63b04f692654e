"""A whole measurement of one corpus: latency, throughput, memory, ingest rate."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli import __version__
from polyrag_cli.config import digest
from polyrag_cli.display.text import counted
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.bench.csv_rate import CsvRate, csv_rate
from polyrag_cli.evaluation.bench.latency import LatencyRow, ModelShare, cold_rows, routing_row, warm_run
from polyrag_cli.evaluation.bench.load import IngestRate, ThroughputRow, ingest_rate, throughput_row
from polyrag_cli.evaluation.bench.machine import Memory, cores, memory
from polyrag_cli.evaluation.bench.questions import own_questions

FORMAT = "polyrag-bench-1"


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What to measure.

    questions: () for some made from the corpus. rounds: how often each question counts; warmups: rounds before them.
    clients: numbers of clients asking at once, one row each. ingest: paths whose ingesting is measured, () for none.
    csv_mb: size of a made-up CSV file whose ingesting is measured beside plain readers, 0 for none.
    """

    questions: tuple[str, ...] = ()
    rounds: int = 3
    warmups: int = 1
    cold: bool = True
    clients: tuple[int, ...] = (1, 4)
    ingest: tuple[Path, ...] = ()
    csv_mb: int = 0


@dataclass(frozen=True, slots=True)
class About:
    """What a run measured, and where; `machine_ms` is a fixed loop's time in each round."""

    version: str
    python: str
    cores: int
    embedder: str
    config_hash: str
    fingerprint: str
    generation: int
    chunks: int
    tables: int
    questions_hash: str
    machine_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BenchReport:
    """Everything that one run measured; its JSON is the file that a later run is compared with.

    asked: the questions, in their order.
    """

    format: str
    about: About
    questions: int
    rows: tuple[LatencyRow, ...]
    throughput: tuple[ThroughputRow, ...]
    models: tuple[ModelShare, ...]
    memory: Memory
    ingest: IngestRate | None
    asked: tuple[str, ...] = ()
    csv: CsvRate | None = None


def run_bench(engine: Engine, plan: BenchPlan, tell: Callable[[str], None] = lambda _: None) -> BenchReport:
    """Measures an engine, whose cached answers it clears. tell: told what is measured next.

    Raises UsageError when there is nothing to ask, StoreError without a corpus or when a process fails.
    """
    questions = plan.questions or tuple(own_questions(engine))
    tell(f"{len(questions)} questions, warm")
    warm = warm_run(engine, questions, plan.rounds, plan.warmups)
    rows = [routing_row(engine, questions, plan.rounds, plan.warmups), *warm.rows]
    throughput = []
    for clients in plan.clients:
        tell(f"{counted(clients, 'client')} at once")
        throughput.append(throughput_row(engine, questions, clients, max(3, plan.rounds)))
    # Before ingesting anything more, so that it is the memory of asking.
    used = memory()
    if plan.cold:
        tell("whole processes")
        rows += cold_rows(engine, questions[0])
    rate = None
    if plan.ingest:
        tell("ingest")
        rate = ingest_rate(engine, plan.ingest)
    table = None
    if plan.csv_mb:
        tell(f"a CSV file of {plan.csv_mb} MB")
        table = csv_rate(engine, plan.csv_mb)
    about = _about(engine, questions, warm.machine_ms)
    return BenchReport(
        format=FORMAT,
        about=about,
        questions=len(questions),
        rows=tuple(rows),
        throughput=tuple(throughput),
        models=warm.models,
        memory=used,
        ingest=rate,
        asked=tuple(questions),
        csv=table,
    )


def _about(engine: Engine, questions: Sequence[str], machine_ms: tuple[float, ...]) -> About:
    with engine.catalog.snapshot() as snapshot:
        fingerprint, counts = engine.catalog.fingerprint(snapshot), engine.catalog.counts(snapshot)
        generation = snapshot.generation
    return About(
        version=__version__,
        python=platform.python_version(),
        cores=cores(),
        embedder=engine.embedder.name,
        # Where the corpus lies decides nothing.
        config_hash=digest({name: value for name, value in engine.settings.values.items() if name != "paths"}),
        fingerprint=fingerprint,
        generation=generation,
        chunks=counts["chunks"],
        tables=counts["tables"],
        questions_hash=hashlib.sha256("\0".join(questions).encode("utf-8", "surrogatepass")).hexdigest(),
        machine_ms=machine_ms,
    )
