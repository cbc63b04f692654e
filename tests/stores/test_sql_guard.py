from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from polyrag_cli.errors import QueryRejected
from polyrag_cli.manual import chapter
from polyrag_cli.stores import sql_allowed
from polyrag_cli.stores.duckdb_sandbox import Sandbox
from polyrag_cli.stores.sql_guard import check
from tests.stores import sql_statements

TABLES = {"harvest": ("crop", "tons", "select"), "Prices": ("crop", "price", "day")}


@pytest.mark.parametrize(
    ("sql", "used"),
    [
        ("SELECT crop FROM harvest", ("harvest",)),
        ("select CROP from HARVEST limit 1", ("harvest",)),
        ("SELECT \"select\" FROM harvest WHERE crop ILIKE 'o%';", ("harvest",)),
        ("SELECT h.crop, p.price FROM harvest h JOIN prices AS p USING (crop)", ("Prices", "harvest")),
        (
            "WITH a AS (SELECT crop AS c, sum(tons) AS t FROM harvest GROUP BY 1) SELECT c FROM a ORDER BY t",
            ("harvest",),
        ),
        ("WITH a(x) AS (SELECT crop FROM harvest) SELECT x FROM a", ("harvest",)),
        ("SELECT x.c FROM (SELECT crop AS c FROM harvest) AS x", ("harvest",)),
        ("SELECT sum(CASE WHEN tons > 1 THEN 1 END) FILTER (WHERE tons IS NOT NULL) AS n FROM harvest", ("harvest",)),
        ("SELECT crop FROM harvest UNION SELECT crop FROM prices", ("Prices", "harvest")),
        ("SELECT date_part('year', day), strftime(day, '%Y') FROM prices", ("Prices",)),
        (
            "SELECT crop, row_number() OVER (PARTITION BY crop ORDER BY tons) AS r FROM harvest QUALIFY r = 1",
            ("harvest",),
        ),
        ("SELECT * FROM harvest WHERE tons = (SELECT max(tons) FROM harvest)", ("harvest",)),
        ("SELECT count(*) FROM harvest -- DROP TABLE harvest", ("harvest",)),
        ("SELECT 'read_csv(''x'')' AS text", ()),
        ("SELECT lpad(crop, 12, '.'), printf('%.2f', tons), format('{:,}', 3) FROM harvest", ("harvest",)),
    ],
)
def test_selects_pass(sql: str, used: tuple[str, ...]) -> None:
    assert check(sql, TABLES).tables == used


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("", "not 0"),
        ("SELECT 1; DROP TABLE harvest", "not 2"),
        ("DROP TABLE harvest", "DROP"),
        ("DELETE FROM harvest", "DELETE"),
        ("UPDATE harvest SET tons = 1", "UPDATE"),
        ("CREATE TABLE x AS SELECT 1", "CREATE"),
        ("COPY (SELECT 1) TO 'x'", "COPY"),
        ("EXPLAIN SELECT 1", "Only SELECT"),
        ("ATTACH 'x.db'", "ATTACH"),
        ("PRAGMA database_list", "PRAGMA"),
        ("SET memory_limit = '9GB'", "SET"),
        ("CALL duckdb_settings()", "Only SELECT"),
        ("WITH a AS (DELETE FROM harvest RETURNING crop) SELECT * FROM a", "DELETE"),
        ("SELECT * FROM read_csv('/etc/passwd')", "read_csv"),
        ("SELECT * FROM read_text('/etc/passwd')", "read_text"),
        ("SELECT * FROM glob('*')", "(?i)glob"),
        ("SELECT unnest(range(100000000))", "unnest"),
        ("SELECT repeat('x', 4000000000)", "any size"),
        ("SELECT lpad('x', 4000000000, 'y')", "any size"),
        ("SELECT lpad('x', 2 + 2, 'y')", "any size"),
        ("SELECT printf('%100000000d', 3)", "any size"),
        ("SELECT printf('%*d', 100000000, 3)", "any size"),
        ("SELECT format('{:>{}}', 'a', 100000000)", "any size"),
        ("SELECT format(crop, 3) FROM harvest", "any size"),
        ("SELECT pg_sleep(100)", "pg_sleep"),
        ("SELECT 'open", "isn't closed"),
        ("SELECT 1 /* open", "isn't closed"),
        ("SELECT crop harvest x", "syntax error near"),
        ("SELECT * FROM duckdb_settings()", "duckdb_settings"),
        ("SELECT * FROM query('SELECT 1')", "query"),
        ("SELECT * FROM 'data.csv'", "data.csv"),
        ("SELECT * FROM information_schema.tables", "information_schema"),
        ("SELECT * FROM main.harvest", "schema"),
        ("WITH RECURSIVE a AS (SELECT crop FROM harvest) SELECT crop FROM a", "RECURSIVE"),
        ("SELECT (SELECT content FROM read_text('x'))", "read_text"),
        ("SELECT current_setting('threads')", "current_setting"),
        ("SELECT getenv('HOME')", "getenv"),
        ("SELECT $1", "PLACEHOLDER|PARAMETER"),
        ("SELECT ?", "PLACEHOLDER"),
        ("SELECT crop FROM harvst", "nearest is 'harvest'"),
        ("SELECT tonnes FROM harvest", "nearest is 'tons'"),
        ("SELECT price FROM harvest", "'price'"),
        ("SELECT crop FROM", "can't be parsed"),
        ("(" * 5000, "too deep"),
        ("SELECT " + "1 + " * 9000 + "1", "characters"),
    ],
)
def test_everything_else_is_refused_by_name(sql: str, named: str) -> None:
    with pytest.raises(QueryRejected, match=named) as caught:
        check(sql, TABLES)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_tables_it_says_so() -> None:
    with pytest.raises(QueryRejected, match="No tables are ingested"):
        check("SELECT * FROM harvest", {})


def test_deep_and_long_statements_are_an_answer_or_one_line() -> None:
    chain = " OR ".join(f"tons = {n}" for n in range(700))
    assert check(f"SELECT crop FROM harvest WHERE {chain}", TABLES).tables == ("harvest",)
    inner = "tons"
    for _ in range(20):
        inner = f"abs({inner} + 1)"
    assert check(f"SELECT {inner} AS n FROM harvest", TABLES).tables == ("harvest",)


def test_columns_are_told_by_the_table_that_holds_them() -> None:
    sql = "WITH prices AS (SELECT crop AS price FROM harvest) SELECT p.price, h.crop FROM prices p, harvest h"
    assert sorted(check(sql, TABLES).columns.values()) == [("harvest", "crop")] * 2
    sql = "SELECT (SELECT max(price) FROM prices p WHERE p.crop = h.crop) FROM harvest h"
    assert sorted(check(sql, TABLES).columns.values()) == [("Prices", "crop"), ("Prices", "price"), ("harvest", "crop")]


@pytest.mark.parametrize("name", sorted(sql_allowed.listed()))
def test_every_name_of_the_list_is_one_that_the_parser_knows(name: str) -> None:
    assert issubclass(getattr(exp, name), exp.Expr)


def _of_the_manual() -> list[str]:
    rows = [line for line in chapter("sql").text.splitlines() if line.startswith("| ") and "`" in line]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


# How functions are called that don't take one text.
CALLS = {
    "exists": "exists (SELECT 1 FROM harvest)",
    "case": "CASE WHEN tons > 1 THEN 1 END",
    "cast": "cast(tons AS INTEGER)",
    "try_cast": "try_cast(tons AS INTEGER)",
    "extract": "extract(year FROM crop)",
    "position": "position('a' IN crop)",
    "replace": "replace(crop, 'a', 'b')",
    "regexp_replace": "regexp_replace(crop, 'a', 'b')",
    "lpad": "lpad(crop, 9, ' ')",
    "rpad": "rpad(crop, 9, ' ')",
    "repeat": "repeat(crop, 9)",
    "format": "format('{}', crop)",
    "printf": "printf('%s', crop)",
    "date_trunc": "date_trunc('month', crop)",
    "if": "if(tons > 1, 1, 2)",
    "time_bucket": "time_bucket(INTERVAL 1 DAY, crop)",
}


@pytest.mark.parametrize("name", _of_the_manual())
def test_the_manual_s_functions_are_the_allowed_ones(name: str) -> None:
    calls = [CALLS[name]] if name in CALLS else [f"{name}({', '.join(['crop'] * count)})" for count in range(4)]
    for call in calls:
        try:
            check(f"SELECT {call} AS a FROM harvest", TABLES)
        except QueryRejected:
            # How many arguments it takes is no matter of what is allowed.
            continue
        return
    pytest.fail(f"{name} is refused")


# ---------------------------------------------------------------- statements at large
@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    folder = tmp_path_factory.mktemp("tables")
    rows = {
        "harvest": "('oats', 'a', 1.5, 2.0, DATE '2024-01-02', true), ('rye', 'b', 3, 1, DATE '2024-03-02', false),"
        " ('maçã', 'a', NULL, 1.0, DATE '2024-05-02', true)",
        "fields": "('a', 10, 'north'), ('b', 20, 'south')",
    }
    connection = duckdb.connect()
    for name, values in rows.items():
        columns = ", ".join(sql_statements.TABLES[name])
        connection.execute(
            f"COPY (SELECT * FROM (VALUES {values}) AS v({columns})) TO '{folder / name}.parquet' (FORMAT parquet)"
        )
    connection.close()
    yield {name: folder / f"{name}.parquet" for name in rows}


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.mark.parametrize("sql", sql_statements.HONEST)
def test_honest_statements_pass_and_run(sql: str, stored: dict[str, Path], sandbox: Sandbox) -> None:
    assert set(check(sql, sql_statements.TABLES).tables) <= set(stored)
    assert sandbox.run(sql, stored, 100).columns


HOSTILE = [sql for statements in sql_statements.HOSTILE.values() for sql in statements]


def test_there_are_enough_of_both_kinds() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 250
    assert len(set(sql_statements.HONEST)) == len(sql_statements.HONEST) >= 80


@pytest.mark.parametrize("sql", HOSTILE)
def test_hostile_statements_are_refused(sql: str) -> None:
    with pytest.raises(QueryRejected):
        check(sql, sql_statements.TABLES)


WRAPPED = (
    "SELECT * FROM ({}) AS inside",
    "WITH inside AS ({}) SELECT * FROM inside",
    "SELECT crop FROM harvest WHERE EXISTS ({})",
    "SELECT ({}) AS inside FROM harvest",
    "SELECT crop FROM harvest UNION ALL {}",
    "SELECT crop FROM harvest ORDER BY ({})",
    "SELECT crop FROM harvest h JOIN fields f ON f.field IN ({})",
)


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("place", "around"), list(enumerate(WRAPPED)))
def test_hostile_statements_are_refused_inside_another_one(place: int, around: str, every: int) -> None:
    # A name that is unknown in a statement of its own may stand for the outer one's.
    inside = [
        sql
        for kind, own in sql_statements.HOSTILE.items()
        if not kind.startswith("unknown")
        for sql in own
        if sql.strip(";")
    ]
    passed = []
    # Of a sample, each stands inside one of the others at least.
    for sql in inside[place % every :: every]:
        try:
            check(around.format(sql), sql_statements.TABLES)
        except QueryRejected:
            continue
        passed.append(sql)
    assert passed == []
