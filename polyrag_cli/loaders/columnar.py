"""Parquet, Arrow and Feather files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from polyrag_cli.errors import LoadError, reason
from polyrag_cli.loaders.database.loader import document
from polyrag_cli.types import LoadedDocument


class ParquetLoader:
    """Reads a Parquet file as one table, with its types."""

    name = "parquet"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its table. Raises LoadError when it is no Parquet file."""
        if _is_empty(path):
            return ()
        from polyrag_cli.loaders.database.duckdb_file import read_parquet

        return document(read_parquet(path))


class ArrowLoader:
    """Reads an Arrow or Feather file as one table, with its types; needs pyarrow, which is an extra."""

    name = "arrow"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its table. Raises LoadError when it is no such file, or pyarrow isn't there."""
        if _is_empty(path):
            return ()
        table = _arrow_table(path)
        from polyrag_cli.loaders.database.duckdb_file import read_arrow_table

        return document(read_arrow_table(table, path.stem))


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error


def _arrow_table(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, ipc
    except ImportError as error:
        raise LoadError(f"{path.name}: needs pyarrow.", "Install it with: pip install 'polyrag[arrow]'") from error
    try:
        with path.open("rb") as file:
            marked = file.read(6) == b"ARROW1"
            file.seek(0)
            # A stream has no mark of its own.
            return (ipc.open_file if marked else ipc.open_stream)(file).read_all()
    except (ArrowException, OSError, ValueError) as error:
        said = str(error).partition("\n")[0][:200]
        raise LoadError(f"{path.name}: can't be read as Arrow or Feather ({said}).") from error
