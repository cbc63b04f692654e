"""Owns the DuckDB connections that statements run on: in memory, over given Parquet files, nothing else reachable."""

from __future__ import annotations

import datetime
import decimal
import importlib
import math
import threading
from collections import deque
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.faults import StaleSnapshot, store_error
from polyrag_cli.stores.parquet_files import is_whole, literal, quoted
from polyrag_cli.types import Cell, Rows

# Connections kept open while no statement runs on them.
_KEPT = 16
# Most characters of text that a result may have.
MAX_BYTES = 16 * 2**20
_PIECE = 256


def engine() -> Any:
    """DuckDB's compiled module, which is all that statements need: what the package adds to it (relations, expressions)
    takes four times as long to load."""
    try:
        return importlib.import_module("_duckdb")
    except ImportError:
        return importlib.import_module("duckdb")


class MemoryExceeded(StoreError):
    """A statement needed more memory than it may have."""


class Sandbox:
    """Runs single SELECTs with a time limit, on one database in memory that all threads share; thread-safe.

    timeout_s: a statement's time limit. memory_mb: DuckDB's memory limit; it never spills to disk. shared: whether
    statements run side by side, so that one may lack the memory that another one has.
    """

    def __init__(self, timeout_s: float = 10.0, memory_mb: int = 512, *, shared: bool = True) -> None:
        self._shared = shared
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._database: _Database | None = None
        self._lock = threading.Lock()
        self._alone = threading.Lock()

    def run(self, sql: str, views: Mapping[str, Path], max_rows: int, files: Collection[Path] = ()) -> Rows:
        """The first `max_rows` rows of a SELECT over views of Parquet files.

        files: further ones that later statements may name, so that they needn't wait for a database of their own.

        Raises QueryRejected when it is no single SELECT or names what isn't there, StaleSnapshot when a file has
        vanished, StoreError when it fails or takes too long.
        """
        duckdb = engine()
        database = None
        try:
            try:
                database = self._open(views, files)
                return self._on(database, views, sql, max_rows)
            except duckdb.OutOfMemoryException:
                if not self._shared:
                    raise
                # The others may have had it: nobody's statement fails because of theirs.
                with self._alone:
                    return self._on(_Database(frozenset(views.values()), self._memory_mb), views, sql, max_rows)
        except (
            duckdb.ParserException,
            duckdb.BinderException,
            duckdb.CatalogException,
            duckdb.SyntaxException,
        ) as error:
            raise QueryRejected(f"The statement is refused: {_first_line(error)}") from error
        except duckdb.OutOfMemoryException as error:
            raise MemoryExceeded(f"The statement needed more than {self._memory_mb} MB and was stopped.") from error
        except duckdb.InterruptException as error:
            raise StoreError(f"The statement took longer than {self._timeout_s:g} s and was stopped.") from error
        except duckdb.Error as error:
            self._forget(database)
            missing = [path for path in views.values() if not path.exists()]
            if missing:
                raise StaleSnapshot(
                    f"The table file {missing[0].name} is gone.", "Ingest its folder again: that writes it anew."
                ) from error
            # The reader of Parquet doesn't always say in which file, nor by an error of a kind of its own.
            unnamed = type(error) is duckdb.Error
            broken = [
                path
                for path in views.values()
                if path.name in str(error) or not is_whole(path) or (unnamed and not self._is_readable(path))
            ]
            if broken:
                raise StoreError(
                    f"The table file {broken[0]} is damaged.",
                    "Delete it and ingest its folder again: that writes it anew.",
                ) from error
            if isinstance(error, (duckdb.PermissionException, duckdb.InvalidInputException)):
                raise QueryRejected(f"The statement is refused: {_first_line(error)}") from error
            if isinstance(error, duckdb.IOException):
                raise store_error(error, next(iter(views.values()), Path("tables"))) from error
            raise StoreError(f"The statement failed: {_first_line(error)}") from error

    def _on(self, database: _Database, views: Mapping[str, Path], sql: str, max_rows: int) -> Rows:
        connection = database.take(views)
        kept = False
        try:
            _check_single_select(connection, sql)
            rows = self._run(connection, sql, max_rows)
            # A result that wasn't read to its end goes on holding memory, which all statements share.
            kept = not rows.truncated
        finally:
            if kept:
                database.give_back(views, connection)
            else:
                connection.close()
        return rows

    def _open(self, views: Mapping[str, Path], files: Collection[Path]) -> _Database:
        """The database at hand, if it may read all that is asked for and nothing that the corpus no longer has."""
        asked = frozenset(views.values())
        allowed = asked.union(files)
        with self._lock:
            database = self._database
            if database is None or not asked <= database.files <= allowed:
                database = self._database = _Database(allowed, self._memory_mb)
            return database

    def _forget(self, database: _Database | None) -> None:
        """Has the next statement open a database anew, unless another thread has done so already."""
        with self._lock:
            if self._database is database:
                self._database = None

    def _is_readable(self, path: Path) -> bool:
        connection = _Database(frozenset((path,)), self._memory_mb).take({"t": path})
        try:
            connection.execute("SELECT max(hash(COLUMNS(*))) FROM t").fetchall()
        except engine().Error:
            return False
        finally:
            connection.close()
        return True

    def _run(self, connection: Any, sql: str, max_rows: int) -> Rows:
        timer = threading.Timer(self._timeout_s, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            result = connection.execute(sql)
            columns = tuple(str(column[0]) for column in result.description)
            types = tuple(str(column[1]) for column in result.description)
            rows, more = _fetched(result, max_rows)
        except (OverflowError, ValueError) as error:
            # Python has no value for an interval of millions of years.
            raise StoreError(f"The statement's result holds a value that can't be shown: {error}.") from error
        except RuntimeError as error:
            # What DuckDB makes of Ctrl-C; its own timeout is another exception.
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from error
            raise
        finally:
            timer.cancel()
            # A thread that is still ending while the interpreter shuts down aborts the process.
            timer.join()
        cells = tuple(tuple(_cell(value) for value in row) for row in rows)
        return Rows(columns, cells, sql, truncated=more, types=types)


class _Database:
    """A database in memory that can read the given files and nothing else; opening one takes longer than a statement.

    Connections are kept by the views that they have: each sees only its own, and runs one statement at a time.
    """

    def __init__(self, files: frozenset[Path], memory_mb: int) -> None:
        self.files = files
        self._idle: deque[tuple[frozenset[tuple[str, Path]], Any]] = deque(maxlen=_KEPT)
        self._connection = _locked(files, memory_mb)

    def take(self, views: Mapping[str, Path]) -> Any:
        """A connection with exactly these views, which nobody else has."""
        key = frozenset(views.items())
        for entry in reversed(tuple(self._idle)):
            if entry[0] == key:
                try:
                    self._idle.remove(entry)
                except ValueError:
                    # Another thread was quicker.
                    continue
                return entry[1]
        connection = self._connection.cursor()
        for name, path in sorted(views.items()):
            source = f"read_parquet({literal(str(path))})"
            connection.execute(f"CREATE TEMP VIEW {quoted(name)} AS SELECT * FROM {source}")
        return connection

    def give_back(self, views: Mapping[str, Path], connection: Any) -> None:
        """Keeps a connection whose statement is done; the oldest kept one goes when there are too many."""
        self._idle.append((frozenset(views.items()), connection))


def _locked(files: Collection[Path], memory_mb: int) -> Any:
    """A connection to a new database whose settings can't be changed any more."""
    duckdb = engine()
    settings: dict[str, str | bool | int | float | list[str]] = {
        # One thread: the order of additions, and so the last bits of a sum, is always the same.
        "threads": 1,
        # Each thread that reads ahead would set memory aside.
        "async_threads": 1,
        "memory_limit": f"{memory_mb}MB",
        "temp_directory": "",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=settings)
    try:
        allowed = ", ".join(literal(str(path)) for path in sorted(files))
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error:
        connection.close()
        raise
    return connection


def _check_single_select(connection: Any, sql: str) -> None:
    if not sql.isascii() and any("\ud800" <= char <= "\udfff" for char in sql):
        raise QueryRejected("The statement holds bytes that are no text.")
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise QueryRejected(f"Exactly one statement is allowed, not {len(statements)}.")
    kind = statements[0].type.name
    if kind != "SELECT":
        raise QueryRejected(f"Only SELECT is allowed, not {kind}.")


def _fetched(result: Any, max_rows: int) -> tuple[list[tuple[object, ...]], bool]:
    """The first rows of a result, as many as the limits on rows and bytes allow, and whether there are more."""
    rows: list[tuple[object, ...]] = []
    size = 0
    while piece := result.fetchmany(_PIECE):
        for row in piece:
            size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
            if size > MAX_BYTES and not rows:
                raise StoreError(f"The first row alone has more than {MAX_BYTES // 2**20} MB.")
            if len(rows) == max_rows or size > MAX_BYTES:
                return rows, True
            rows.append(row)
    return rows, False


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
