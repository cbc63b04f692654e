from __future__ import annotations

import pytest

from polyrag_cli.errors import QueryRejected
from polyrag_cli.stores.sql_guard import check

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
    assert check(sql, TABLES) == used


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
        ("SELECT * FROM read_csv('/etc/passwd')", "READ_CSV"),
        ("SELECT * FROM read_text('/etc/passwd')", "read_text"),
        ("SELECT * FROM glob('*')", "(?i)glob"),
        ("SELECT unnest(range(100000000))", "any size"),
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
