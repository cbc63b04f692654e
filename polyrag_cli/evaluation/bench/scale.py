"""Growth of costs with the size of a made-up corpus, part by part.

Each size is ingested into a temporary data directory, which is removed, also when the work is interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.bench.growth import exponent, growth_name
from polyrag_cli.evaluation.bench.machine import peak_memory
from polyrag_cli.evaluation.bench.scale_parts import cache_cost, question_costs
from polyrag_cli.evaluation.bench.synthetic import CHUNKS_PER_SET, write_corpus

Tell = Callable[[str], None]
LARGEST = 5000
CHUNKS_PER_ENTRY = 10


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """One size: what it holds, and each part's cost in milliseconds (medians; ingest and first question once)."""

    scale: int
    files: int
    chunks: int
    windows: int
    tables: int
    names: int
    cache_entries: int
    peak_mb: float | None
    costs: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Growth:
    """One part's growth over all sizes: `exponent` of the whole range, `last` between the two largest sizes.

    name: constant, sublinear, linear or superlinear, by `last`, where fixed costs weigh least.
    """

    part: str
    costs: tuple[float, ...]
    exponent: float | None
    last: float | None
    name: str


@dataclass(frozen=True, slots=True)
class ScaleReport:
    """The sizes, smallest first, and how each part grows."""

    embedder: str
    points: tuple[ScalePoint, ...]
    growth: tuple[Growth, ...]


def parse_scales(text: str) -> tuple[int, ...]:
    """Sizes in base sets of 100 chunks and a table, as in "10,100,1000", ascending.

    Raises UsageError for anything else.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and 0 < int(part) <= LARGEST for part in parts):
        raise UsageError(
            f"--scale {text}: not a list of numbers from 1 to {LARGEST}.",
            f"One is a base set of {CHUNKS_PER_SET} chunks and a table: --scale 10,100,1000",
        )
    return tuple(sorted({int(part) for part in parts}))


def run_scale(settings: Settings, scales: Sequence[int], tell: Tell = lambda _: None) -> ScaleReport:
    """Builds, ingests and measures each size. tell: told what is being done."""
    if len(scales) > 1:
        # Importing libraries isn't growth: a smallest corpus is measured first, and forgotten.
        _measured(settings, 1, tell)
    points = [_measured(settings, scale, tell) for scale in scales]
    return ScaleReport(settings.embedder.name, tuple(points), growth_of(points))


def growth_of(points: Sequence[ScalePoint]) -> tuple[Growth, ...]:
    """How each part that all sizes have grows with the number of chunks."""
    sizes = [point.chunks for point in points]
    found = []
    for part in points[0].costs:
        costs = [point.costs[part] for point in points]
        last = exponent(sizes[-2:], costs[-2:])
        found.append(Growth(part, tuple(costs), _rounded(exponent(sizes, costs)), _rounded(last), growth_name(last)))
    return tuple(found)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _measured(settings: Settings, scale: int, tell: Tell) -> ScalePoint:
    with TemporaryDirectory(prefix="polyrag-scale-") as folder:
        source, data = Path(folder) / "corpus", Path(folder) / "data"
        label = f"{scale * CHUNKS_PER_SET:,} chunks"
        tell(f"{label}: writing the corpus")
        write_corpus(source, scale)
        own = settings.with_data(data)
        costs = {}
        with Engine(own) as engine, peak_memory() as peak:
            engine.embedder.embed_query("warm")
            started = time.perf_counter()
            report = engine.ingest([source], on_progress=_ingesting(label, tell))
            costs["ingest"] = (time.perf_counter() - started) * 1000.0
        tell(f"{label}: asking")
        with Engine(own) as engine:
            engine.leave_no_trace(Path(folder) / "activity")
            costs |= question_costs(engine)
            with engine.snapshot() as snapshot:
                counts = engine.catalog.counts(snapshot)
                entries = max(1, counts["chunks"] // CHUNKS_PER_ENTRY)
                tell(f"{label}: {entries:,} cached answers")
                costs["cache lookup"] = cache_cost(engine, snapshot, Path(folder) / "cached", entries)
                names = len(engine.stores.graph.names(snapshot, limit=None))
    return ScalePoint(
        scale=scale,
        files=len(report.files),
        chunks=counts["chunks"],
        windows=counts["windows"],
        tables=counts["tables"],
        names=names,
        cache_entries=entries,
        peak_mb=peak.mb,
        costs={name: round(ms, 3) for name, ms in costs.items()},
    )


def _ingesting(label: str, tell: Tell) -> Callable[..., None]:
    def update(done: int, total: int, name: str, chunks: int) -> None:
        tell(f"{label}: ingested {done:,} of {total:,} files, {chunks:,} chunks")

    return update
