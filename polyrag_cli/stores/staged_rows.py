"""Owns rows of delimited text that are too many to be held in memory: DuckDB reads them once into a temporary database
that spills to disk, where they are asked column by column."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.duckdb_sandbox import engine
from polyrag_cli.stores.parquet_files import literal, quoted, sql_type, storable_values
from polyrag_cli.stores.scratch import scratch
from polyrag_cli.stores.staged_values import StagedValue

# What one file's rows may take of memory before they are moved to disk.
_MEMORY_MB = 400
_MOST_THREADS = 4
_BUFFER = 8 << 20
_LONGEST_LINE = 4 << 20
_POLL_S = 0.1
# All that `str.split` parts words at.
_SPACES = " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
_SPACES += "".join(map(chr, range(0x2000, 0x200B)))
_ODD_SPACE = "[" + "".join(f"\\x{{{ord(space):x}}}" for space in _SPACES[1:]) + "]"
_SPACE_RUN = "[" + "".join(f"\\x{{{ord(space):x}}}" for space in _SPACES) + "]+"
# Control characters are in no text that is read, so no cell is this one: empty cells stay texts.
_NO_TEXT = "\x01"
_STRETCH = 2048
_FIRST_SCAN = 50_000
_LONGEST_SCAN = 1_000_000


@dataclass(frozen=True, slots=True)
class StagedDialect:
    """How a file is cut into cells.

    skip: lines above the first row of data. lines: of the whole file. odd_spaces: whether any cell may hold white space
    other than spaces and line ends.
    """

    delimiter: str
    quote: str
    width: int
    skip: int
    lines: int
    odd_spaces: bool


class StagedRows:
    """Rows of equally many cell texts, by position from 0 on.

    They are gone when nobody refers to them any more. Calls from several threads take turns.
    """

    def __init__(self, path: Path, dialect: StagedDialect, tell: Callable[[float], None] | None = None) -> None:
        """Reads a file of UTF-8 whose records all have `dialect.width` cells, empty lines left out.

        tell: told now and then the share that is read (0–1).
        Raises StoreError when a record differs, or when the disk has no room.
        """
        duckdb = engine()
        self.width = dialect.width
        self._lock = threading.RLock()
        self._held: set[str] = set()
        self._given_back: dict[tuple[str, int], bool] = {}
        folder = tempfile.mkdtemp(prefix="polyrag-rows-", dir=scratch.get())
        self._connection: Any = duckdb.connect(
            ":memory:",
            config={
                "threads": max(1, min(os.cpu_count() or 1, _MOST_THREADS)),
                "memory_limit": f"{_MEMORY_MB}MB",
                "temp_directory": folder,
                "autoload_known_extensions": False,
                "autoinstall_known_extensions": False,
            },
        )
        drop = weakref.finalize(self, _drop, self._connection, folder)
        try:
            with _watched(self._connection, tell):
                self._connection.execute(f"CREATE TABLE staged AS SELECT * FROM {_reader(path, dialect)}")
            self.rows = int(self._one("SELECT count(*) FROM staged")[0])
            # With more lines than rows, some cell has several.
            several = dialect.lines > dialect.skip + self.rows
            self._unclean = self._unclean_columns(several or dialect.odd_spaces)
        except duckdb.Error as error:
            drop()
            raise StoreError(f"{path.name}: {str(error).partition(chr(10))[0]}") from error

    # ---------------------------------------------------------------- rows
    def window(self, start: int, stop: int) -> list[tuple[str, ...]]:
        """The rows from one position up to another, as they stand in the file."""
        return self._all(f"SELECT * FROM staged WHERE rowid >= {start} AND rowid < {stop} ORDER BY rowid")

    def at(self, positions: Sequence[int]) -> list[tuple[str, ...]]:
        """The rows at some positions, in order, their cells clean."""
        cells = ", ".join(map(self._clean, range(self.width)))
        return self._all(
            f"SELECT {cells} FROM staged WHERE rowid IN (SELECT unnest(?::BIGINT[])) ORDER BY rowid", [list(positions)]
        )

    def blank(self) -> tuple[int, int]:
        """How many rows hold nothing, and the position of the first; that of the end when there is none."""
        return self._met(f"{self._clean(0)} = '' AND {self._nothing_behind()}")

    def lone(self) -> tuple[int, int]:
        """How many rows hold nothing behind their first cell, and the position of the first, as of `blank`."""
        return self._met(self._nothing_behind())

    def behind_lone(self, pattern: str, most: int) -> list[int]:
        """The first `most` positions of rows right behind one that holds nothing behind its first cell, without a cell
        in which an RE2 pattern is found."""
        unlike = " AND ".join(f"NOT regexp_matches({self._clean(i)}, {literal(pattern)})" for i in range(self.width))
        before = f"SELECT rowid + 1 FROM staged WHERE {self._nothing_behind()}"
        return self._positions(f"rowid IN ({before}) AND {unlike} ORDER BY rowid LIMIT {most}")

    def beginning(self, cell: str, most: int) -> list[int]:
        """The first `most` positions of rows whose first cell is a certain text."""
        return self._positions(f"c0 = ? ORDER BY rowid LIMIT {most}", [cell])

    def gapped(self, columns: Iterable[int]) -> list[int]:
        """The positions of rows that have an empty cell, and fill cells of certain columns only."""
        others = sorted(set(range(self.width)) - set(columns))
        empty = " OR ".join(f"{self._clean(i)} = ''" for i in range(self.width))
        only = "".join(f" AND {self._clean(i)} = ''" for i in others)
        return self._positions(f"({empty}){only} ORDER BY rowid")

    def matching(self, column: int, pattern: str) -> list[tuple[int, str]]:
        """The positions of rows in whose clean cell an RE2 pattern is found, in order, with that cell."""
        cells = f"SELECT rowid AS place, {self._clean(column)} AS cell FROM staged"
        return self._all(
            f"SELECT place, cell FROM ({cells}) WHERE regexp_matches(cell, {literal(pattern)}) ORDER BY place"
        )

    def line_ends(self) -> int:
        """How many newlines there are inside cells."""
        ends = " + ".join(f"length(c{i}) - length(replace(c{i}, chr(10), ''))" for i in sorted(self._unclean)) or "0"
        return int(self._one(f"SELECT coalesce(sum({ends}), 0) FROM staged")[0])

    def leave_out(self, positions: Sequence[int]) -> None:
        """Forgets some rows; those behind them move up."""
        if not positions:
            return
        with self._lock:
            kept = "SELECT * FROM staged WHERE rowid NOT IN (SELECT unnest(?::BIGINT[]))"
            self._connection.execute(f"CREATE TABLE kept AS {kept}", [list(positions)])
            self._connection.execute("DROP TABLE staged")
            self._connection.execute("ALTER TABLE kept RENAME TO staged")
            self.rows -= len(positions)

    # ---------------------------------------------------------------- the clean cells of a column
    def roughly_distinct(self) -> list[int]:
        """About how many different texts each column holds, in every eighth stretch of rows."""
        counts = ", ".join(f"approx_count_distinct(c{i})" for i in range(self.width))
        some = f"rowid % {8 * _STRETCH} < {_STRETCH}"
        return [int(count) for count in self._one(f"SELECT {counts} FROM staged WHERE {some}")]

    def counted(self, column: int) -> dict[str, int]:
        """How many cells hold each different text, in order of first place."""
        cell = self._clean(column)
        found = self._all(f"SELECT {cell} AS cell, count(*), min(rowid) FROM staged GROUP BY cell ORDER BY min(rowid)")
        return {cell: count for cell, count, _ in found}

    def times(self, column: int, texts: Sequence[str]) -> list[int]:
        """How many cells hold each of some texts."""
        found = self._all(
            f"SELECT {self._clean(column)} AS cell, count(*) FROM staged"
            " WHERE cell IN (SELECT unnest(?::VARCHAR[])) GROUP BY cell",
            [list(texts)],
        )
        counts = dict(found)
        return [counts.get(text, 0) for text in texts]

    def spread(self, column: int, tried: int) -> list[str]:
        """Cells at even distances: all up to `tried`, fewer than twice as many of more."""
        step = max(1, self.rows // tried)
        query = f"SELECT {self._clean(column)} FROM staged WHERE rowid % {step} = 0 ORDER BY rowid"
        return [cell for (cell,) in self._all(query)]

    def shares(self, column: int, patterns: Sequence[str], nothing: Iterable[str]) -> tuple[int, tuple[int, ...]]:
        """How many cells hold something, and in how many of these each RE2 pattern is found.

        nothing: texts in small letters that stand for nothing.
        """
        found = "".join(f", count(*) FILTER (regexp_matches(cell, {literal(pattern)}))" for pattern in patterns)
        filled, *counts = self._one(f"SELECT count(*){found} FROM {self._filled(column, nothing)}")
        return int(filled), tuple(map(int, counts))

    def others(self, column: int, pattern: str, most: int) -> list[str] | None:
        """The different cells in small letters in which an RE2 pattern isn't found; None when there are more than
        `most`."""
        unlike = f"NOT regexp_matches(cell, {literal(pattern)})"
        cells = f"SELECT {self._clean(column)} AS cell FROM staged"
        found = self._all(
            f"SELECT DISTINCT lower(cell) AS said FROM ({cells}) WHERE {unlike} ORDER BY said LIMIT {most + 1}"
        )
        return [cell for (cell,) in found] if len(found) <= most else None

    def among(self, column: int, texts: Iterable[str]) -> list[str]:
        """Those of some texts in small letters that a column's cells are."""
        cells = f"SELECT lower({self._clean(column)}) AS cell FROM staged"
        return [
            cell
            for (cell,) in self._all(f"SELECT DISTINCT cell FROM ({cells}) WHERE cell IN {_list(texts)} ORDER BY cell")
        ]

    def longest_behind(self, column: int, mark: str, nothing: Iterable[str]) -> int:
        """How many characters stand behind a mark at most, in cells that hold it."""
        query = f"SELECT max(length(cell) - instr(cell, {literal(mark)})) FROM {self._filled(column, nothing)}"
        return int(self._one(f"SELECT * FROM ({query} AND contains(cell, {literal(mark)}))")[0] or 0)

    # ---------------------------------------------------------------- values
    def summary(self, value: StagedValue) -> tuple[int, int]:
        """How many different values there are, and how many rows have none."""
        values = f"SELECT {self._value(value)} AS value FROM staged"
        distinct, nulls = self._one(f"SELECT count(DISTINCT value), count(*) - count(value) FROM ({values})")
        return int(distinct), int(nulls)

    def values(self, value: StagedValue) -> Iterator[Any]:
        """The values of all rows, in order; None for nothing."""
        start, size = 0, _FIRST_SCAN
        while start < self.rows:
            query = f"SELECT {self._value(value)} FROM staged WHERE rowid >= {start} AND rowid < {start + size}"
            yield from (found for (found,) in self._all(f"{query} ORDER BY rowid"))
            start, size = start + size, min(2 * size, _LONGEST_SCAN)

    def total(self, value: StagedValue) -> float:
        """The sum of a column's figures."""
        return float(self._one(f"SELECT sum(({self._value(value)})::DOUBLE) FROM staged")[0] or 0)

    def value_at(self, value: StagedValue, position: int) -> Any:
        """The value of one row."""
        return self._one(f"SELECT {self._value(value)} FROM staged WHERE rowid = {position}")[0]

    def gives_back(self, value: StagedValue) -> bool:
        """Whether a column's values, written as text, are the cells of the file."""
        key = (value.how, value.column)
        if value.how == "rows" or value.type == "boolean":
            return False
        if key not in self._given_back:
            restored = f"coalesce(({self._value(value)})::VARCHAR, '')"
            query = f"SELECT count(*) FROM (SELECT 1 FROM staged WHERE c{value.column} <> {restored} LIMIT 1)"
            self._given_back[key] = self._one(query)[0] == 0
        return self._given_back[key]

    def copy(self, columns: Sequence[tuple[str, StagedValue]], path: Path) -> None:
        """Writes columns, each with its name, as a Parquet file, in the order of rows.

        Raises an error of DuckDB when the disk refuses.
        """
        self._copy([f"{self._value(value)} AS {quoted(name)}" for name, value in columns], path)

    def copy_cells(self, columns: Sequence[int], path: Path) -> None:
        """Writes columns as they stand in the file, called c0, c1 … by their places, as a Parquet file."""
        self._copy([f"c{column}" for column in columns], path)

    # ---------------------------------------------------------------- parts
    def _copy(self, selected: Sequence[str], path: Path) -> None:
        with self._lock:
            self._connection.execute(
                f"COPY (SELECT {', '.join(selected)} FROM staged) TO {literal(str(path))}"
                " (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, USE_TMP_FILE false)"
            )

    def _value(self, value: StagedValue) -> str:
        """A value in SQL."""
        cell = self._clean(value.column)
        if value.how == "rows":
            return f"list_contains([{', '.join(map(str, value.rows))}]::BIGINT[], rowid)"
        if value.how == "read":
            name = self._kept(value)
            return f"list_extract((SELECT held FROM values_{name}), enum_code(({cell})::texts_{name}) + 1)"
        found = {"day": f"substr({cell}, 1, 10)::DATE", "text": cell}.get(value.how)
        found = found or f"({cell})::{sql_type(value.type, ())}"
        if not value.nothing:
            return found
        # Most columns hold but one text for nothing, which has no letters.
        nothing = f"{cell} = ''" if value.nothing == {""} else f"lower({cell}) IN {_list(value.nothing)}"
        return f"CASE WHEN {nothing} THEN NULL ELSE {found} END"

    def _kept(self, value: StagedValue) -> str:
        """What the database calls the readings of a column's texts, which it has from the first call on."""
        name = f"c{value.column}"
        with self._lock:
            if name in self._held:
                return name
            kind = sql_type(value.type, list(value.read.values()))
            run = self._connection.execute
            run(f"CREATE TEMP TABLE said_{name} AS SELECT unnest(?::VARCHAR[]) AS cell", [list(value.read)])
            run(f"CREATE TYPE texts_{name} AS ENUM (SELECT cell FROM said_{name})")
            run(f"DROP TABLE said_{name}")
            held = storable_values(kind, list(value.read.values()))
            run(f"CREATE TEMP TABLE values_{name} AS SELECT ?::{kind}[] AS held", [held])
            self._held.add(name)
        return name

    def _clean(self, column: int) -> str:
        """A column's cells without white space around them and runs of it inside."""
        if column not in self._unclean:
            return f"c{column}"
        return f"trim(regexp_replace(c{column}, '{_SPACE_RUN}', ' ', 'g'), ' ')"

    def _filled(self, column: int, nothing: Iterable[str]) -> str:
        without = f"lower(cell) NOT IN {_list(nothing)}" if nothing else "true"
        return f"(SELECT {self._clean(column)} AS cell FROM staged) WHERE {without}"

    def _unclean_columns(self, odd_spaces: bool) -> frozenset[int]:
        odd = f" OR regexp_matches({{0}}, '{_ODD_SPACE.replace('{', '{{').replace('}', '}}')}')" if odd_spaces else ""
        spaced = "bool_or({0} LIKE ' %' OR {0} LIKE '% ' OR contains({0}, '  ')" + odd + ")"
        found = self._one(f"SELECT {', '.join(spaced.format(f'c{i}') for i in range(self.width))} FROM staged")
        return frozenset(column for column, unclean in enumerate(found) if unclean)

    def _nothing_behind(self) -> str:
        """That a row holds nothing behind its first cell, in SQL."""
        return " AND ".join(f"{self._clean(i)} = ''" for i in range(1, self.width))

    def _met(self, condition: str) -> tuple[int, int]:
        count, first = self._one(f"SELECT count(*), min(rowid) FROM staged WHERE {condition}")
        return int(count), self.rows if first is None else int(first)

    def _positions(self, condition: str, parameters: Sequence[Any] = ()) -> list[int]:
        return [row[0] for row in self._all(f"SELECT rowid FROM staged WHERE {condition}", parameters)]

    def _one(self, query: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...]:
        return self._all(query, parameters)[0]

    def _all(self, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            found: list[tuple[Any, ...]] = self._connection.execute(query, list(parameters)).fetchall()
            return found


def _list(texts: Iterable[str]) -> str:
    return f"({', '.join(map(literal, sorted(texts)))})"


def _reader(path: Path, dialect: StagedDialect) -> str:
    columns = ", ".join(f"'c{column}': 'VARCHAR'" for column in range(dialect.width))
    quote = literal(dialect.quote)
    return (
        f"read_csv({literal(str(path))}, auto_detect = false, header = false, skip = {dialect.skip},"
        f" delim = {literal(dialect.delimiter)}, quote = {quote}, escape = {quote}, columns = {{{columns}}},"
        f" strict_mode = true, null_padding = false, nullstr = {literal(_NO_TEXT)}, compression = 'none',"
        f" max_line_size = {_LONGEST_LINE}, buffer_size = {_BUFFER})"
    )


@contextmanager
def _watched(connection: Any, tell: Callable[[float], None] | None) -> Iterator[None]:
    """Tells how far the statement is that runs in the block."""
    if tell is None:
        yield
        return
    connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_POLL_S):
            tell(min(1.0, max(0.0, connection.query_progress() / 100)))

    watching = threading.Thread(target=watch, name="rows-progress", daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _drop(connection: Any, folder: str) -> None:
    connection.close()
    shutil.rmtree(folder, ignore_errors=True)
