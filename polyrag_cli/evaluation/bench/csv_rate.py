"""How fast a CSV file becomes a table, beside programs that only read it."""

from __future__ import annotations

import datetime
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError
from polyrag_cli.evaluation.bench.machine import cores, peak_memory
from polyrag_cli.stores.plain_csv import plain_read

_MB = 1_000_000
_LINES = 5_000
_WORDS = "amber brass cedar delta ember flint grove hazel ivory jade".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class CsvRate:
    """What a made-up CSV file took, in MB a second: ingested, and only read by DuckDB and pandas; None for pandas where
    it isn't installed.

    of_duckdb, of_pandas: by how much ingesting takes longer. peak_mb: resident memory of ingesting at its highest.
    """

    mb: float
    rows: int
    mb_per_s: float
    duckdb_mb_per_s: float
    pandas_mb_per_s: float | None
    of_duckdb: float
    of_pandas: float | None
    peak_mb: float | None


def csv_rate(engine: Engine, mb: int) -> CsvRate:
    """Measures a file of about `mb` MB under an engine's settings, in a temporary data directory, which is removed.

    Loading the embedder's weights doesn't count.
    """
    with TemporaryDirectory(prefix="polyrag-bench-") as folder:
        path = Path(folder) / "orders.csv"
        rows = write_orders(path, mb * _MB)
        size = path.stat().st_size / _MB
        with Engine(engine.settings.with_data(Path(folder) / "data")) as fresh, peak_memory() as peak:
            fresh.embedder.embed_query("warm")
            seconds = _seconds(lambda: fresh.ingest([path]))
            held = [table.rows for table in fresh.corpus.tables()]
        if held != [rows]:
            raise StoreError(f"{path.name} became tables of {held} rows instead of one of {rows}.")
        duckdb = _seconds(lambda: plain_read(path, cores()))
        read = _pandas_reader()
        pandas = None if read is None else _seconds(lambda: read(path))
    return CsvRate(
        mb=round(size, 1),
        rows=rows,
        mb_per_s=round(size / seconds, 2),
        duckdb_mb_per_s=round(size / duckdb, 2),
        pandas_mb_per_s=None if pandas is None else round(size / pandas, 2),
        of_duckdb=round(seconds / duckdb, 2),
        of_pandas=None if pandas is None else round(seconds / pandas, 2),
        peak_mb=peak.mb,
    )


def write_orders(path: Path, size: int) -> int:
    """Writes a CSV file of at least `size` bytes, always the same; the number of its records.

    It has a running number, days, names, codes, whole numbers, amounts, logical values and texts with commas.
    """
    rng = random.Random(7)
    written = rows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        written += file.write("order_id,date,customer,code,quantity,price,paid,comment\n")
        while written < size:
            lines = [_order(rng, number) for number in range(rows + 1, rows + _LINES + 1)]
            written += file.write("".join(lines))
            rows += _LINES
    return rows


def _order(rng: random.Random, number: int) -> str:
    day = datetime.date(2015, 1, 1) + datetime.timedelta(rng.randrange(3600))
    name = f"{rng.choice(_WORDS)} {rng.choice(_WORDS)} {rng.randrange(20_000)}"
    said = ", ".join(rng.choices(_WORDS, k=rng.randrange(5)))
    price = f"{rng.randrange(100, 99_999) / 100:.2f}"
    paid = rng.choice(("yes", "no"))
    return f'{number},{day},{name},K-{rng.randrange(3_000):05d},{rng.randrange(1, 50)},{price},{paid},"{said}"\n'


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _pandas_reader() -> Callable[[Path], Any] | None:
    import importlib

    try:
        read: Callable[[Path], Any] = importlib.import_module("pandas").read_csv
    except ImportError:
        return None
    return read
