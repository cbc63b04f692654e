"""Three small tables of the tests, and a store that runs SQL over them in DuckDB's memory."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence

import duckdb

from polyrag_cli.errors import QueryRejected
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import Cell, RawTable, Rows, TableRef, TableSchema

ORDERS = """
pedido;data;cliente;cidade;categoria;quantidade;valor (R$);entregue
1001;05/01/2024;Padaria Aurora;Olinda;Grãos;10;1.200,50;sim
1002;17/01/2024;Mercado Bela Vista;Natal;Bebidas;24;880,00;sim
1003;02/02/2024;Padaria Aurora;Olinda;Bebidas;6;240,00;não
1004;20/02/2024;Empório Dona Lia;Maceió;Grãos;30;3.450,00;sim
1005;28/02/2024;Mercado Bela Vista;Natal;Grãos;15;1.725,00;sim
1006;11/03/2024;Empório Dona Lia;Maceió;Limpeza;8;319,90;não
1007;15/03/2024;Padaria Aurora;Olinda;Limpeza;12;479,60;sim
1008;09/01/2025;Café do Porto;Natal;Bebidas;40;1.500,00;não
""".strip()

STAFF = """
Name,Department,Office,Salary,Hired,Age
Ada Moss,Engineering,Leeds,5200,2019-03-04,41
Bruno Reyes,Engineering,Porto,4800,2021-07-19,29
Clara Dunn,Design,Leeds,4100,2020-01-13,35
Dinis Faria,Design,Porto,3900,2022-10-03,27
Elena Stone,Support,Leeds,3000,2018-05-21,52
Farah Quinn,Support,Leeds,3100,2023-02-06,24
Goran Vale,Engineering,Leeds,5600,2017-11-27,46
""".strip()

ENERGY = """
mes;usina;fonte;energia_mwh;custo
janeiro;Serra Alta;Eólica;120,5;300
janeiro;Vale Verde;Solar;80,0;150
fevereiro;Serra Alta;Eólica;110,0;310
fevereiro;Vale Verde;Solar;95,5;160
março;Serra Alta;Eólica;99,0;290
março;Vale Verde;Solar;105,0;170
março;Foz Norte;Hídrica;240,0;400
Total;;;850,0;1780
""".strip()

_TYPES = {"integer": "BIGINT", "number": "DOUBLE", "date": "DATE", "boolean": "BOOLEAN", "text": "VARCHAR"}


def raw(name: str, text: str, separator: str) -> RawTable:
    return RawTable(name, tuple(tuple(line.split(separator)) for line in text.splitlines()))


def typed() -> list[TypedTable]:
    return [
        *typed_tables([raw("pedidos", ORDERS, ";")], "pedidos.csv"),
        *typed_tables([raw("staff", STAFF, ",")], "staff.csv"),
        *typed_tables([raw("energia_2024", ENERGY, ";")], "energia_2024.csv"),
    ]


def schema_of(table: TypedTable, document: str = "") -> TableSchema:
    return TableSchema(
        table.name,
        document or f"{table.name}.csv",
        table.label,
        table.columns,
        table.rows,
        "",
        table.heading,
        table.notes,
    )


class MemoryStore:
    """Runs statements over typed tables in DuckDB's memory."""

    def __init__(self, tables: Sequence[TypedTable], connection: duckdb.DuckDBPyConnection | None = None) -> None:
        """connection: one that is used again, whose tables of the same names are replaced."""
        self._connection = connection or duckdb.connect()
        self._schemas = tuple(schema_of(table) for table in sorted(tables, key=lambda t: t.name))
        for table in tables:
            columns = ", ".join(f'"{c.name}" {_TYPES[c.type]}' for c in table.columns)
            self._connection.execute(f'CREATE OR REPLACE TABLE "{table.name}" ({columns})')
            rows = list(zip(*table.cells, strict=True))
            marks = ", ".join("(" + ", ".join("?" * len(table.columns)) + ")" for _ in rows)
            if rows:
                cells = [cell for row in rows for cell in row]
                self._connection.execute(f'INSERT INTO "{table.name}" VALUES {marks}', cells)

    def refs(self, snapshot: object) -> tuple[TableRef, ...]:
        found = (TableRef(s.name, s.document, i, s.file, s.path_words) for i, s in enumerate(self._schemas))
        return tuple(sorted(found, key=lambda ref: ref.name))

    def schemas(self, snapshot: object, names: Collection[str] | None = None) -> tuple[TableSchema, ...]:
        return tuple(schema for schema in self._schemas if names is None or schema.name in names)

    def execute(
        self,
        snapshot: object,
        sql: str,
        tables: Sequence[str] | None = None,
        max_rows: int = 1000,
        *,
        trusted: bool = False,
    ) -> Rows:
        try:
            cursor = self._connection.execute(sql)
        except duckdb.Error as error:
            raise QueryRejected(str(error)) from error
        columns = tuple(name for name, *_ in cursor.description)
        return Rows(columns, tuple(tuple(_cell(c) for c in row) for row in cursor.fetchmany(max_rows)), sql)


def _cell(value: object) -> Cell:
    if isinstance(value, datetime.date):
        return value.isoformat()
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return float(str(value))
