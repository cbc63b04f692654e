"""What became of each file of an ingest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from polyrag_cli.types.impact import PendingImpact

FileState = Literal["added", "updated", "unchanged", "skipped", "failed", "removed"]


@dataclass(frozen=True, slots=True)
class IngestedTable:
    """A table as the ingest report lists it."""

    name: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file; `routes` counts chunks by home route (a dual-homed chunk counts once, `boundary`
    counts those)."""

    document: str
    status: FileState
    reason: str = ""
    chunks: int = 0
    routes: Mapping[str, int] = field(default_factory=dict)
    tables: tuple[IngestedTable, ...] = ()
    warnings: tuple[str, ...] = ()
    boundary: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """One entry for each file, in the order of their document names.

    impact: what settings that changed since the last ingest change of the corpus and of questions; None where none did.
    """

    files: tuple[FileReport, ...]
    took_ms: float = 0.0
    impact: PendingImpact | None = None
