"""A corpus made new for one measurement, and what all sets read and report alike."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polyrag_cli import Engine


@contextmanager
def corpus(*paths: Path, **overrides: Any) -> Iterator[Engine]:
    """An engine over files and folders that were just ingested; overrides: settings, `__` for the dot."""
    settings = {"tracing.enabled": False, **{key.replace("__", "."): value for key, value in overrides.items()}}
    with tempfile.TemporaryDirectory() as data, Engine.open(data_dir=data, overrides=settings) as engine:
        if paths:
            engine.ingest(paths)
        yield engine


def rows(path: Path) -> list[dict[str, Any]]:
    """The records of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def load_scorer(bench: Path) -> Any:
    """The folder's own scorer, as a module."""
    spec = importlib.util.spec_from_file_location("score", bench / "score.py")
    if spec is None or spec.loader is None or not (bench / "score.py").is_file():
        sys.exit(f"{bench}: no score.py there. Name the folder of the data sets with BENCH=DIR.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def times(milliseconds: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum."""
    ordered = sorted(milliseconds)
    if not ordered:
        return {}
    return {
        "p50_ms": round(ordered[len(ordered) // 2], 2),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 2),
        "max_ms": round(ordered[-1], 2),
    }
