"""Owns reading a CSV file the way that DuckDB does when it is told nothing: what ours is compared with."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from polyrag_cli.stores.duckdb_sandbox import engine
from polyrag_cli.stores.faults import store_error
from polyrag_cli.stores.parquet_files import literal


def plain_read(path: Path, threads: int) -> int:
    """How many rows DuckDB reads from a file into a table in memory.

    Raises StoreError when it can't.
    """
    duckdb = engine()
    config = {"threads": threads, "autoload_known_extensions": False}
    try:
        with closing(duckdb.connect(":memory:", config=config)) as connection:
            connection.execute(f"CREATE TABLE read AS SELECT * FROM read_csv({literal(str(path))})")
            return int(connection.execute("SELECT count(*) FROM read").fetchone()[0])
    except duckdb.Error as error:
        raise store_error(error, path) from error
