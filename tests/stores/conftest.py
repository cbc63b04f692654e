"""A data directory and its catalog for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths


@pytest.fixture
def paths(tmp_path: Path) -> DataPaths:
    return DataPaths(tmp_path / "data")


@pytest.fixture
def catalog(paths: DataPaths) -> Iterator[SQLiteCatalog]:
    opened = SQLiteCatalog.open(paths, create=True)
    yield opened
    opened.close()
