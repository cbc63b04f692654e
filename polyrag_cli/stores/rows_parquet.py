"""Owns how rows of a statement become a Parquet file for other tools."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

from polyrag_cli.errors import StoreError, reason
from polyrag_cli.stores.duckdb_sandbox import engine
from polyrag_cli.stores.parquet_files import literal, quoted
from polyrag_cli.types import Cell, Rows
from polyrag_cli.whole_file import replacing

# Of other types the text is kept that the rows hold.
_KEPT = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)?(INT|INTEGER)|DOUBLE|FLOAT|DECIMAL\(\d+,\d+\)|BOOLEAN"
    r"|DATE|TIME|TIMESTAMP( WITH TIME ZONE)?"
)


def write_parquet(rows: Rows, path: Path) -> None:
    """Writes rows with the types that their statement gave them, in place of what the file held.

    Raises StoreError when it can't be written.
    """
    duckdb = engine()
    names = _distinct(rows.columns)
    columns = [[_text(row[place]) for row in rows.rows] for place in range(len(names))]
    selected = ", ".join(
        f"CAST(unnest(?::VARCHAR[]) AS {kind if _KEPT.fullmatch(kind) else 'VARCHAR'}) AS {quoted(name)}"
        for name, kind in zip_longest(names, rows.types[: len(names)], fillvalue="VARCHAR")
    )
    try:
        with replacing(path.absolute()) as temporary:
            connection = duckdb.connect(":memory:", config={"threads": 1, "autoload_known_extensions": False})
            try:
                connection.execute(f"CREATE TEMP TABLE written AS SELECT {selected}", columns)
                connection.execute(f"COPY written TO {literal(str(temporary))} (FORMAT parquet, COMPRESSION zstd)")
            finally:
                connection.close()
    except OSError as error:
        raise StoreError(f"{path}: can't be written: {reason(error)}.") from error
    except duckdb.Error as error:
        raise StoreError(f"{path}: can't be written: {str(error).partition(chr(10))[0]}.") from error


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _distinct(names: tuple[str, ...]) -> list[str]:
    """The names of the columns, numbered where one stands twice, in whatever case."""
    taken: dict[str, str] = {}
    for name in names:
        given, number = name, 2
        while given.casefold() in taken:
            given, number = f"{name}_{number}", number + 1
        taken[given.casefold()] = given
    return list(taken.values())
