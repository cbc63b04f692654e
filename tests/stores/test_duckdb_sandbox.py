"""The sandbox must hold by itself: these statements reach it without the guard."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import duckdb
import pytest

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.duckdb_sandbox import Sandbox, _Database
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.parquet_files import ParquetFiles
from tests.stores.corpus import table


@pytest.fixture
def views(tmp_path: Path) -> dict[str, Path]:
    files = ParquetFiles(tmp_path / "tables")
    return {"harvest": files.path(files.write(table()))}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('{folder}/*')",
        "SELECT * FROM sniff_csv('{secret}')",
        "SELECT * FROM read_parquet('{folder}/other.parquet')",
        "COPY harvest TO '{folder}/out.csv'",
        "COPY (SELECT 1 AS a) TO '{parquet}' (FORMAT parquet)",
        "COPY (SELECT 1 AS a) TO '{parquet}' (FORMAT parquet, USE_TMP_FILE false)",
        "ATTACH '{folder}/x.db'",
        "EXPORT DATABASE '{folder}/out'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_paths = ['{secret}']",
        "RESET lock_configuration",
        "PRAGMA threads = 8",
        "CREATE TABLE x AS SELECT 1",
        "SELECT 1; SELECT 2",
        "",
    ],
)
def test_nothing_but_the_tables_is_reachable(tmp_path: Path, views: dict[str, Path], statement: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("secret\n1\n", encoding="utf-8")
    before = views["harvest"].read_bytes()
    sql = statement.format(secret=secret, folder=tmp_path, parquet=views["harvest"])
    with pytest.raises((QueryRejected, StoreError)) as caught:
        Sandbox().run(sql, views, 10)
    assert "\n" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.csv", "tables"]
    assert views["harvest"].read_bytes() == before


def test_settings_are_locked_and_nothing_is_loaded_by_itself(views: dict[str, Path]) -> None:
    connection = _Database(frozenset(views.values()), 64).take(views)
    for setting in (
        "enable_external_access = true",
        "allowed_paths = ['/etc/passwd']",
        "autoload_known_extensions = true",
    ):
        with pytest.raises(duckdb.Error, match=r"locked|cannot be|Cannot"):
            connection.execute(f"SET {setting}")
    sql = "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions' ORDER BY 1"
    assert [value for _, value in connection.execute(sql).fetchall()] == ["false", "false"]
    connection.close()


ENDLESS = "SELECT count(*) FROM range(100000000) a, range(1000) b WHERE a.range % 7 = b.range % 5"


def test_a_statement_is_stopped_in_time(views: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Sandbox(timeout_s=0.2)
    started = time.monotonic()
    with pytest.raises(StoreError, match=r"longer than 0\.2 s"):
        sandbox.run(ENDLESS, views, 1)
    assert time.monotonic() - started < 60
    # The connection is still good for the next one, however long that takes.
    monkeypatch.setattr(sandbox, "_timeout_s", 60.0)
    assert sandbox.run("SELECT count(*) AS n FROM harvest", views, 1).rows == ((3,),)


def test_ctrl_c_in_a_statement_is_an_interruption(views: dict[str, Path]) -> None:
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        Sandbox(timeout_s=60).run(ENDLESS, views, 1)
    timer.join()


def test_memory_is_limited(views: dict[str, Path]) -> None:
    with pytest.raises(StoreError):
        Sandbox(memory_mb=32).run("SELECT length(string_agg(repeat('x', 1000), '')) FROM range(1000000)", views, 1)


def test_a_swept_file_asks_for_a_fresh_snapshot(views: dict[str, Path]) -> None:
    sandbox = Sandbox()
    sandbox.run("SELECT * FROM harvest", views, 1)
    content = views["harvest"].read_bytes()
    views["harvest"].unlink()
    for one in (sandbox, Sandbox()):
        with pytest.raises(StaleSnapshot):
            one.run("SELECT * FROM harvest", views, 1)
    views["harvest"].write_bytes(content)
    assert len(sandbox.run("SELECT * FROM harvest", views, 9).rows) == 3


def test_threads_and_many_table_sets(tmp_path: Path, views: dict[str, Path]) -> None:
    sandbox = Sandbox()
    found: list[object] = []

    def work() -> None:
        for n in range(7):
            found.append(
                sandbox.run("SELECT count(*) FROM t", {"t": views["harvest"], f"t{n}": views["harvest"]}, 1).rows
            )

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [((3,),)] * 21


def test_a_database_is_opened_anew_only_when_files_are_gone_or_missing(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.parquet" for name in "abc"]
    kept = ParquetFiles(tmp_path / "tables")
    for path in paths:
        path.write_bytes(kept.path(kept.write(table())).read_bytes())
    a, b, c = paths
    sandbox = Sandbox()

    def database(view: Path, *files: Path) -> object:
        assert sandbox.run("SELECT count(*) FROM t", {"t": view}, 1, files).rows == ((3,),)
        return sandbox._database

    first = database(a, a, b)
    # Another table of the same corpus, and a corpus that has got one more.
    assert database(b, a, b) is first
    assert database(a, a, b, c) is first
    grown = database(c, a, b, c)
    assert grown is not first
    # What the corpus no longer has can't be read any more.
    shrunk = database(c, b, c)
    assert shrunk is not grown
    with pytest.raises(QueryRejected):
        sandbox.run(f"SELECT * FROM read_parquet('{a}')", {"t": c}, 1, (b, c))


def test_views_of_other_statements_are_out_of_sight(views: dict[str, Path]) -> None:
    sandbox = Sandbox()
    both = {"one": views["harvest"], "two": views["harvest"]}
    assert sandbox.run("SELECT count(*) FROM one, two", both, 1).rows == ((9,),)
    for _ in range(2):
        with pytest.raises(QueryRejected, match="two"):
            sandbox.run("SELECT count(*) FROM two", {"one": views["harvest"]}, 1)


def test_values_of_other_types_become_cells(views: dict[str, Path]) -> None:
    sql = (
        "SELECT 1.50::DECIMAL(4,2) AS a, 3::DECIMAL(4,0) AS b, TIMESTAMP '2024-01-02 03:04:05' AS c, [1, 2] AS d,"
        " 'nan'::DOUBLE AS e, '-inf'::DOUBLE AS f, TIME '12:00' AS g, NULL AS h, true AS i"
    )
    assert Sandbox().run(sql, views, 1).rows == (
        (1.5, 3, "2024-01-02T03:04:05", "[1, 2]", None, None, "12:00:00", None, True),
    )


# A sort of 10 MB and more, of which a statement reads the first row.
SORTED = "SELECT range AS n, md5(range::VARCHAR) AS m FROM range(150000) ORDER BY m"


def test_a_result_that_was_not_read_to_its_end_holds_no_memory(views: dict[str, Path]) -> None:
    sandbox = Sandbox(memory_mb=32)
    database = sandbox._open(views, ())
    for n in range(6):
        assert sandbox.run(SORTED, {f"v{n}": views["harvest"]}, 1, views.values()).truncated
    # All on the one database, which none of them has used up.
    assert sandbox._database is database
    connection = database.take(views)
    (used,) = connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchone()
    assert used < 2**20


def test_a_statement_does_not_fail_for_the_memory_of_another(views: dict[str, Path]) -> None:
    sandbox = Sandbox(memory_mb=32)
    connection = sandbox._open(views, ()).take(views)
    # Two thirds of the memory, held as long as the result is there.
    held = connection.execute("SELECT md5(range::VARCHAR) AS m FROM range(400000) ORDER BY m")
    held.fetchmany(1)
    assert sandbox.run(SORTED, views, 1).truncated
    held.close()


@pytest.mark.parametrize("days", ["INTERVAL '2000000000 days'", "to_days(2000000000)"])
def test_a_value_that_python_does_not_have_is_one_line(views: dict[str, Path], days: str) -> None:
    with pytest.raises(StoreError, match="can't be shown: days=2000000000"):
        Sandbox().run(f"SELECT {days} AS long FROM harvest", views, 1)


def test_bytes_that_are_no_text_are_refused(views: dict[str, Path]) -> None:
    with pytest.raises(QueryRejected, match="no text"):
        Sandbox().run("SELECT '\ud800' AS a FROM harvest", views, 1)


def test_damage_that_the_reader_does_not_place_names_the_file(
    views: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def vague(*_: object) -> None:
        raise duckdb.Error("TProtocolException: Invalid data")

    monkeypatch.setattr(Sandbox, "_run", vague)
    with pytest.raises(StoreError, match=r"The statement failed: TProtocolException"):
        Sandbox().run("SELECT * FROM harvest", views, 1)
    content = views["harvest"].read_bytes()
    views["harvest"].write_bytes(content[:4] + b"\xaa" * (len(content) - 8) + content[-4:])
    with pytest.raises(StoreError, match=r"The table file .*\.parquet is damaged"):
        Sandbox().run("SELECT * FROM harvest", views, 1)


def test_a_statement_that_fails_late_leaves_another_threads_database_alone(
    views: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox()
    opened: list[object] = []

    def fail_late(database: object, *_: object) -> None:
        # While this statement fails, another thread opens a database for more tables, and goes on with it.
        with sandbox._lock:
            sandbox._database = _Database(frozenset(views.values()), 64)
        opened.extend((database, sandbox._database))
        raise duckdb.InternalException("no such thing")

    monkeypatch.setattr(sandbox, "_on", fail_late)
    with pytest.raises(StoreError):
        sandbox.run("SELECT 1", views, 1)
    failed, newer = opened
    assert failed is not newer
    assert sandbox._database is newer


def test_a_database_on_which_a_statement_failed_is_opened_anew(
    views: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox()

    def fail(*_: object) -> None:
        raise duckdb.InternalException("no such thing")

    monkeypatch.setattr(sandbox, "_on", fail)
    with pytest.raises(StoreError):
        sandbox.run("SELECT 1", views, 1)
    assert sandbox._database is None
