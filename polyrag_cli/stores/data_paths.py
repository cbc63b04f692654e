"""Where a data directory keeps each thing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataPaths:
    """Where a data directory keeps things.

    common: the user's folder for what all data directories have in common and can be made anew; None where there is
    none.
    """

    root: Path
    common: Path | None = None

    @property
    def catalog(self) -> Path:
        """The truth: documents, chunks, windows, postings, graph, tables."""
        return self.root / "catalog.sqlite"

    @property
    def activity(self) -> Path:
        """What questions leave behind: traces and cached answers."""
        return self.root / "activity.sqlite"

    @property
    def tables(self) -> Path:
        """Parquet files, one a table version."""
        return self.root / "tables"

    @property
    def cache(self) -> Path:
        """Derived and disposable files."""
        return self.root / "cache"

    @property
    def shared(self) -> Path:
        """Derived files that other data directories use too: the user's folder, else the one for derived files."""
        return self.common or self.cache

    @property
    def scratch(self) -> Path:
        """What lies there only while files are read: a folder for each process that does."""
        return self.root / "scratch"

    @property
    def jobs(self) -> Path:
        """A small file for each job that is going on."""
        return self.root / "jobs"

    @property
    def lock(self) -> Path:
        """The writer lock."""
        return self.root / "writer.lock"
