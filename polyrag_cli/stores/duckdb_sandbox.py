"""Owns the DuckDB connections that statements run on: in memory, over given Parquet files, nothing else reachable.

Must never import config or the catalog.
"""

from __future__ import annotations

import datetime
import decimal
import importlib
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.faults import StaleSnapshot, store_error
from polyrag_cli.stores.parquet_files import is_whole, literal, quoted
from polyrag_cli.types import Cell, Rows

# Connections kept open on each thread, by the tables that they see.
_KEPT = 4


def engine() -> Any:
    """DuckDB's compiled module, which is all that statements need: what the package adds to it (relations, expressions)
    takes four times as long to load."""
    try:
        return importlib.import_module("_duckdb")
    except ImportError:
        return importlib.import_module("duckdb")


class Sandbox:
    """Runs single SELECTs with a time limit, on a connection kept for each thread and set of tables.

    timeout_s: a statement's time limit. memory_mb: DuckDB's memory limit; it never spills to disk.
    """

    def __init__(self, timeout_s: float = 10.0, memory_mb: int = 512) -> None:
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._local = threading.local()

    def run(self, sql: str, views: Mapping[str, Path], max_rows: int) -> Rows:
        """The first `max_rows` rows of a SELECT over views of Parquet files.

        Raises QueryRejected when it is no single SELECT or names what isn't there, StaleSnapshot when a file has
        vanished, StoreError when it fails or takes too long.
        """
        duckdb = engine()
        try:
            connection = self._connection(views)
            _check_single_select(connection, sql)
            return self._run(connection, sql, max_rows)
        except (
            duckdb.ParserException,
            duckdb.BinderException,
            duckdb.CatalogException,
            duckdb.SyntaxException,
        ) as error:
            raise QueryRejected(f"The statement is refused: {_first_line(error)}") from error
        except duckdb.InterruptException as error:
            raise StoreError(f"The statement took longer than {self._timeout_s:g} s and was stopped.") from error
        except duckdb.Error as error:
            missing = [path for path in views.values() if not path.exists()]
            if missing:
                self._forget(views)
                raise StaleSnapshot(
                    f"The table file {missing[0].name} is gone.", "Ingest its folder again: that writes it anew."
                ) from error
            broken = [path for path in views.values() if path.name in str(error) or not is_whole(path)]
            if broken:
                self._forget(views)
                raise StoreError(
                    f"The table file {broken[0]} is damaged.",
                    "Delete it and ingest its folder again: that writes it anew.",
                ) from error
            if isinstance(error, (duckdb.PermissionException, duckdb.InvalidInputException)):
                raise QueryRejected(f"The statement is refused: {_first_line(error)}") from error
            if isinstance(error, duckdb.IOException):
                raise store_error(error, next(iter(views.values()), Path("tables"))) from error
            raise StoreError(f"The statement failed: {_first_line(error)}") from error

    def _run(self, connection: Any, sql: str, max_rows: int) -> Rows:
        timer = threading.Timer(self._timeout_s, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            result = connection.execute(sql)
            columns = tuple(str(column[0]) for column in result.description)
            rows = result.fetchmany(max_rows + 1)
        except RuntimeError as error:
            # What DuckDB makes of Ctrl-C; its own timeout is another exception.
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from error
            raise
        finally:
            timer.cancel()
            # A thread that is still ending while the interpreter shuts down aborts the process.
            timer.join()
        cells = tuple(tuple(_cell(value) for value in row) for row in rows[:max_rows])
        return Rows(columns, cells, sql, truncated=len(rows) > max_rows)

    def _connection(self, views: Mapping[str, Path]) -> Any:
        kept: OrderedDict[frozenset[tuple[str, Path]], Any] | None = getattr(self._local, "kept", None)
        if kept is None:
            kept = self._local.kept = OrderedDict()
        key = frozenset(views.items())
        connection = kept.get(key)
        if connection is None:
            connection = kept[key] = _open(views, self._memory_mb)
            while len(kept) > _KEPT:
                kept.popitem(last=False)[1].close()
        kept.move_to_end(key)
        return connection

    def _forget(self, views: Mapping[str, Path]) -> None:
        kept: OrderedDict[frozenset[tuple[str, Path]], Any] | None = getattr(self._local, "kept", None)
        connection = kept.pop(frozenset(views.items()), None) if kept else None
        if connection is not None:
            connection.close()


def _open(views: Mapping[str, Path], memory_mb: int) -> Any:
    duckdb = engine()
    settings: dict[str, str | bool | int | float | list[str]] = {
        # One thread: the order of additions, and so the last bits of a sum, is always the same.
        "threads": 1,
        "memory_limit": f"{memory_mb}MB",
        "temp_directory": "",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=settings)
    try:
        allowed = ", ".join(literal(str(path)) for path in sorted(set(views.values())))
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        for name, path in sorted(views.items()):
            source = f"read_parquet({literal(str(path))})"
            connection.execute(f"CREATE VIEW {quoted(name)} AS SELECT * FROM {source}")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error:
        connection.close()
        raise
    return connection


def _check_single_select(connection: Any, sql: str) -> None:
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise QueryRejected(f"Exactly one statement is allowed, not {len(statements)}.")
    kind = statements[0].type.name
    if kind != "SELECT":
        raise QueryRejected(f"Only SELECT is allowed, not {kind}.")


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]


def _cell(value: object) -> Cell:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
