"""Owns typed tables: their Parquet files, their schemas in the catalog, and read-only SQL over them."""

from __future__ import annotations

import hashlib
import json
import threading
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.base import RelationalStore, Snapshot, Transaction, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import StaleSnapshot, store_errors
from polyrag_cli.stores.parquet_files import ParquetFiles, is_whole, quoted, source_file, sweep
from polyrag_cli.stores.path_words import path_words
from polyrag_cli.stores.records import MAX_TEXTS, MAX_VALUES, TypedTable
from polyrag_cli.stores.sqlite_connections import open_reader
from polyrag_cli.stores.sqlite_schema import held, read_state
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.staged_files import packed_layout, source_rows, write_staged
from polyrag_cli.stores.storable import storable
from polyrag_cli.types import Column, Relation, Rows, TableKey, TableRef, TableSchema

if TYPE_CHECKING:
    from polyrag_cli.stores.duckdb_sandbox import Sandbox
    from polyrag_cli.stores.sandbox_process import SandboxProcess

MAX_VALUE_LENGTH = 200


class DuckDBRelationalStore(RelationalStore):
    """Tables as immutable Parquet files, queried by DuckDB in memory inside a sandbox; thread-safe.

    timeout_s: a statement's time limit. memory_mb: DuckDB's memory limit.
    """

    def __init__(self, paths: DataPaths, timeout_s: float = 10.0, memory_mb: int = 512) -> None:
        self._paths = paths
        self._files = ParquetFiles(paths.tables.resolve())
        self._limits = (timeout_s, memory_mb)
        self._known: _Tables | None = None
        self._lock = threading.Lock()

    # A decision reads schemas alone. Where two threads make one at once, one of the two is let go unused.
    @cached_property
    def _sandbox(self) -> Sandbox:
        from polyrag_cli.stores.duckdb_sandbox import Sandbox

        return Sandbox(*self._limits)

    @cached_property
    def _process(self) -> SandboxProcess:
        from polyrag_cli.stores.sandbox_process import SandboxProcess

        return SandboxProcess(*self._limits)

    def write(self, table: TypedTable) -> str:
        """Writes the immutable Parquet file of a table, before any commit, and returns its file name (content hash).

        Raises StoreError when the disk refuses.
        """
        if table.staged is not None:
            return write_staged(self._files, table, table.staged)
        return self._files.write(table)

    def add(self, writer: Writer, document: str, tables: Sequence[tuple[TypedTable, str]]) -> tuple[TableSchema, ...]:
        """Records a document's tables in place of what it had, and returns them under the names that they have now."""
        self.remove(writer, document)
        for ordinal, (table, file) in enumerate(tables):
            if not all(map(is_whole, self._paths_of(file))):
                # Swept because the commit came long after the file was written.
                self.write(table)
            schema = json.dumps(_schema_json(table), ensure_ascii=False)
            connection_of(writer).execute(
                "INSERT INTO tables (document, ordinal, name, file, schema) VALUES (?, ?, ?, ?, ?)",
                (document, ordinal, table.name, file, storable(schema)),
            )
            connection_of(writer).execute(
                "INSERT INTO table_cells (document, ordinal, cells) VALUES (?, ?, ?)",
                (document, ordinal, _packed_source(table)),
            )
        if not tables:
            return ()
        refs = [ref for ref in _read_refs(writer) if ref.document == document]
        return tuple(_read_schemas(writer, sorted(refs, key=lambda ref: ref.ordinal)).values())

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's tables; their files are swept later."""
        for table in ("tables", "table_cells"):
            connection_of(writer).execute(f"DELETE FROM {table} WHERE document = ?", (document,))

    def refs(self, snapshot: Snapshot) -> tuple[TableRef, ...]:
        """All tables, by name, without their columns."""
        return self._tables(snapshot).refs

    def schemas(self, snapshot: Snapshot, names: Collection[str] | None = None) -> tuple[TableSchema, ...]:
        """The tables of some names (all when None), by name, columns with their distinct values (capped)."""
        tables = self._tables(snapshot)
        wanted = [ref for ref in tables.refs if names is None or ref.name in names]
        with self._lock:
            missing = [ref for ref in wanted if ref.key not in tables.read]
            tables.read.update(_read_schemas(snapshot, missing))
            return tuple(tables.read[ref.key] for ref in wanted)

    def execute(
        self,
        snapshot: Snapshot,
        sql: str,
        tables: Sequence[str] | None = None,
        max_rows: int = 1000,
        *,
        trusted: bool = False,
    ) -> Rows:
        """Runs one SELECT over the named tables (all when None) in the sandbox; at most `max_rows` rows come back.

        trusted: for statements that this program wrote; the sandbox still holds, only the check of names in words is
        left out, and the process of its own that keeps what others write within its limits. Raises QueryRejected for
        anything but a single SELECT over known tables and columns, StaleSnapshot when a table's file was swept after a
        later commit, StoreError when it is lost, or when the statement fails, takes too long or too much memory.
        """
        if not trusted:
            # It starts while the schemas are read and the parser is loaded.
            self._process.start()
        of_commit = self._tables(snapshot)
        known = of_commit.by_name
        if tables is not None:
            unknown = [name for name in tables if name.casefold() not in known]
            if unknown:
                raise QueryRejected(f"There is no table {unknown[0]!r}.")
            known = {name.casefold(): known[name.casefold()] for name in tables}
        if not trusted:
            from polyrag_cli.stores.sql_guard import check

            schemas = self.schemas(snapshot, {ref.name for ref in known.values()})
            columns = {schema.name: [column.name for column in schema.columns] for schema in schemas}
            known = {name.casefold(): known[name.casefold()] for name in check(sql, columns).tables}
        views = {ref.name: self._files.path(ref.file) for ref in known.values()}
        files = of_commit.paths(self._files)
        try:
            return (self._sandbox if trusted else self._process).run(sql, views, max_rows, files)
        except StaleSnapshot as error:
            if self._is_newest(snapshot):
                # Not swept but lost: a fresh snapshot would look for the same file.
                raise StoreError(error.message, error.hint) from error
            raise

    def source_cells(self, snapshot: Snapshot, name: str, most: int | None = None) -> list[list[str]]:
        """The table as its source holds it, header first where it has one; at most the first `most` lines.

        Raises StoreError when there is no such table.
        """
        ref = self._tables(snapshot).by_name.get(name.casefold())
        if ref is None:
            raise StoreError(f"There is no table {name!r}.", "`polyrag corpus tables` shows the tables.")
        query = "SELECT cells FROM table_cells WHERE document = ? AND ordinal = ?"
        row = connection_of(snapshot).execute(query, ref.key).fetchone()
        held = json.loads(zlib.decompress(row[0]))
        if isinstance(held, dict):
            (schema,) = self.schemas(snapshot, (ref.name,))
            return source_rows(self._files, schema.file, held, most)
        return [list(cells) for cells in held[:most]]

    def contained(self, snapshot: Snapshot, relations: Sequence[Relation]) -> list[float | None]:
        """For each relation the share of its column's different values that the other column has (0–1), counted over
        all rows; None for those that the time limit leaves no time for."""
        shares: list[float | None] = []
        for relation in relations:
            try:
                rows = self.execute(
                    snapshot, _containment(relation), [relation.table, relation.other], 1, trusted=True
                ).rows
            except StaleSnapshot:
                raise
            except StoreError:
                shares.append(None)
            else:
                found = rows[0][0]
                shares.append(float(found) if isinstance(found, int | float) else None)
        return shares

    def check(self, snapshot: Snapshot) -> str:
        """How many tables there are, once the rows of each were counted."""
        schemas = self.schemas(snapshot)
        for schema in schemas:
            self.execute(snapshot, f"SELECT COUNT(*) FROM {quoted(schema.name)}", [schema.name], trusted=True)
        return f"{len(schemas)} tables"

    def lost(self, snapshot: Snapshot) -> frozenset[str]:
        """The documents that have a table whose Parquet file is gone or broken."""
        rows = connection_of(snapshot).execute("SELECT DISTINCT document, file FROM tables")
        return frozenset(document for document, file in rows if not all(map(is_whole, self._paths_of(file))))

    def repair(self, snapshot: Snapshot) -> None:
        """Sweeps table files that the snapshot doesn't refer to; called under the writer lock."""
        sweep(snapshot, self._paths)

    def _paths_of(self, file: str) -> list[Path]:
        """The files of a table that is known by the name of one."""
        return [self._files.path(name) for name in (file, source_file(file)) if name is not None]

    def _is_newest(self, snapshot: Snapshot) -> bool:
        with store_errors(self._paths.catalog):
            connection, _ = open_reader(self._paths.catalog)
            with closing(connection):
                return read_state(connection)[1] == snapshot.commit

    def _tables(self, snapshot: Snapshot) -> _Tables:
        commit = snapshot.commit
        with self._lock:
            if self._known is None or self._known.commit != commit:
                self._known = _Tables(commit, _read_refs(snapshot))
            return self._known


@dataclass(frozen=True)
class _Tables:
    """The tables of one commit, by name, and the schemas of those that were read."""

    commit: str
    refs: tuple[TableRef, ...]
    read: dict[TableKey, TableSchema] = field(default_factory=dict)
    places: list[frozenset[Path]] = field(default_factory=list)

    @cached_property
    def by_name(self) -> Mapping[str, TableRef]:
        """By name, compared without case."""
        return {ref.name.casefold(): ref for ref in self.refs}

    def paths(self, files: ParquetFiles) -> frozenset[Path]:
        """Where the rows of all of them lie."""
        if not self.places:
            self.places.append(frozenset(files.path(ref.file) for ref in self.refs))
        return self.places[0]


def _packed_source(table: TypedTable) -> bytes:
    if table.staged is not None:
        return packed_layout(table, table.staged)
    return zlib.compress(json.dumps(table.source, ensure_ascii=False).encode("utf-8", "replace"), 6)


def _containment(relation: Relation) -> str:
    column, key = quoted(relation.column), quoted(relation.other_column)
    values = f"SELECT DISTINCT {column} AS value FROM {quoted(relation.table)} WHERE {column} IS NOT NULL"
    keys = f"SELECT {key} FROM {quoted(relation.other)} WHERE {key} IS NOT NULL"
    return f"SELECT AVG(CAST(value IN ({keys}) AS INTEGER)) FROM ({values})"


def _schema_json(table: TypedTable) -> dict[str, Any]:
    columns = [_column_json(column) for column in table.columns]
    return {
        "label": table.label,
        "heading": table.heading,
        "notes": table.notes,
        "rows": table.rows,
        "place": table.place,
        "dialect": table.dialect,
        "hidden": table.hidden,
        "keys": table.keys,
        "references": [asdict(reference) for reference in table.references],
        "has_header": table.has_header,
        "total_rows": table.total_rows,
        "columns": columns,
    }


def _column_json(column: Column) -> dict[str, Any]:
    values = sorted({value for value in column.values if len(value) <= MAX_VALUE_LENGTH})
    kept = values[: MAX_TEXTS if column.type == "text" else MAX_VALUES]
    truncated = column.truncated_values or len(kept) < len(column.values)
    return asdict(replace(column, values=tuple(kept), truncated_values=truncated))


def _read_refs(transaction: Transaction) -> tuple[TableRef, ...]:
    """All tables, by name."""
    rows = connection_of(transaction).execute("SELECT document, ordinal, name, file FROM tables").fetchall()
    wanted = [(document, ordinal, name) for document, ordinal, name, _ in rows]
    names, words = settled_names(wanted), path_words(wanted)
    found = (
        TableRef(names[key], *key, file, words[key])
        for key, file in (((document, ordinal), file) for document, ordinal, _, file in rows)
    )
    return tuple(sorted(found, key=lambda ref: ref.name))


def _read_schemas(transaction: Transaction, refs: Sequence[TableRef]) -> dict[TableKey, TableSchema]:
    connection = connection_of(transaction)
    found = {}
    for ref in refs:
        row = connection.execute("SELECT schema FROM tables WHERE document = ? AND ordinal = ?", ref.key).fetchone()
        more = {"name": ref.name, "document": ref.document, "file": ref.file, "path_words": ref.path_words}
        found[ref.key] = held(TableSchema, row[0], **more)
    return found


def settled_names(tables: Sequence[tuple[str, int, str]]) -> dict[TableKey, str]:
    """The SQL name of each table (document, ordinal, wanted name); it depends on which tables there are, on no order.

    Names that clash, compared without case, all take 6 hex digits of the sha256 of their document; what still clashes
    takes more digits, then a number.
    """
    ordered = sorted(tables)
    wanted = Counter(name.casefold() for _, _, name in ordered)
    taken = {name.casefold() for _, _, name in ordered if wanted[name.casefold()] == 1}
    names: dict[TableKey, str] = {}
    for document, ordinal, name in ordered:
        if wanted[name.casefold()] == 1:
            names[document, ordinal] = name
            continue
        digest = hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()
        numbered = (f"{name}_{digest[:6]}_{number}" for number in count(2))
        choices = chain((f"{name}_{digest[:6]}", f"{name}_{digest[:12]}"), numbered)
        chosen = next(choice for choice in choices if choice.casefold() not in taken)
        taken.add(chosen.casefold())
        names[document, ordinal] = chosen
    return names
