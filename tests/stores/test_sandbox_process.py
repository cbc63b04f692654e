"""Limits must hold whatever a statement does: what is run here reaches the process without the guard."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.duckdb_sandbox import MAX_BYTES, Sandbox
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.parquet_files import ParquetFiles
from polyrag_cli.stores.sandbox_process import SandboxProcess
from tests.stores.corpus import table

# Neither is interrupted, nor is its memory counted, by the database itself.
ONE_LONG_CALL = (
    "SELECT jaro_winkler_similarity(a.s, b.s) AS n FROM (SELECT repeat('ab', 3000000) AS s) AS a,"
    " (SELECT repeat('ba', 3000000) AS s) AS b"
)
LONG_TEXTS = "SELECT length(repeat(repeat('0123456789', 10000), 10000)) AS n FROM harvest"


@pytest.fixture
def views(tmp_path: Path) -> dict[str, Path]:
    files = ParquetFiles(tmp_path / "tables")
    return {"harvest": files.path(files.write(table()))}


@pytest.fixture(scope="module")
def warm() -> Iterator[SandboxProcess]:
    process = SandboxProcess(timeout_s=60.0)
    process.start()
    yield process


VALUES = (
    "SELECT crop, tons, price FROM harvest ORDER BY crop",
    "SELECT 1.50::DECIMAL(4,2) AS a, TIMESTAMP '2024-01-02 03:04:05' AS b, 'nan'::DOUBLE AS c, NULL AS d, true AS e",
    "SELECT 170141183460469231731687303715884105727::HUGEINT AS a, 0.1 + 0.2 AS b, 'a\nb\u2028“ß”' AS c",
    "SELECT crop FROM harvest WHERE false",
)


@pytest.mark.parametrize("sql", VALUES)
def test_rows_are_those_of_the_sandbox(sql: str, views: dict[str, Path], warm: SandboxProcess) -> None:
    assert warm.run(sql, views, 2) == Sandbox().run(sql, views, 2)


@pytest.mark.parametrize("sql", ["SELECT nothing FROM harvest", "DROP VIEW harvest", "SELECT '\ud800' AS a", "SELECT"])
def test_refusals_are_those_of_the_sandbox(sql: str, views: dict[str, Path], warm: SandboxProcess) -> None:
    said = []
    for sandbox in (warm, Sandbox()):
        with pytest.raises(QueryRejected) as caught:
            sandbox.run(sql, views, 2)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_swept_file_asks_for_a_fresh_snapshot(views: dict[str, Path], warm: SandboxProcess) -> None:
    views["harvest"].unlink()
    with pytest.raises(StaleSnapshot):
        warm.run("SELECT * FROM harvest", views, 1)


def test_one_call_that_is_never_interrupted_ends_in_time(views: dict[str, Path]) -> None:
    sandbox = SandboxProcess(timeout_s=1.0)
    sandbox.start()
    started = time.monotonic()
    with pytest.raises(StoreError, match=r"longer than 1 s"):
        sandbox.run(ONE_LONG_CALL, views, 1)
    # Its own start counts, on a machine that has other work.
    assert time.monotonic() - started < 30
    assert sandbox.run("SELECT count(*) AS n FROM harvest", views, 1).rows == ((3,),)


@pytest.mark.parametrize(
    "sql", [LONG_TEXTS, "SELECT length(string_agg(repeat('x', 1000), '')) AS n FROM range(1000000)"]
)
def test_memory_is_limited_whoever_counts_it(sql: str, views: dict[str, Path]) -> None:
    sandbox = SandboxProcess(timeout_s=60.0, memory_mb=128)
    with pytest.raises(StoreError, match="more than 128 MB"):
        sandbox.run(sql, views, 1)
    assert sandbox.run("SELECT count(*) AS n FROM harvest", views, 1).rows == ((3,),)


def test_a_result_has_a_limit_in_bytes(views: dict[str, Path], warm: SandboxProcess) -> None:
    half = MAX_BYTES * 2 // 5
    rows = warm.run(f"SELECT repeat('x', {half}) AS s FROM harvest", views, 10)
    assert len(rows.rows) == 2
    assert rows.truncated
    with pytest.raises(StoreError, match="first row alone has more than 16 MB"):
        warm.run(f"SELECT repeat('x', {MAX_BYTES + 1}) AS s FROM harvest", views, 10)


def test_a_process_is_kept_from_statement_to_statement_and_ended_with_its_owner(views: dict[str, Path]) -> None:
    sandbox = SandboxProcess()
    sandbox.start()
    sandbox.start()
    (process,) = sandbox._idle
    for _ in range(2):
        sandbox.run("SELECT count(*) AS n FROM harvest", views, 1)
    assert sandbox._idle == [process]
    del sandbox
    gc.collect()
    assert process.returncode == -signal.SIGKILL


def test_a_process_that_died_meanwhile_is_replaced(views: dict[str, Path]) -> None:
    sandbox = SandboxProcess()
    sandbox.start()
    (process,) = sandbox._idle
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert sandbox.run("SELECT count(*) AS n FROM harvest", views, 1).rows == ((3,),)


def test_a_process_that_can_t_be_started_is_no_matter_of_memory(
    views: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyrag_cli.stores.sandbox_process._START", "raise SystemExit(3)")
    with pytest.raises(StoreError, match="ended with code 3"):
        SandboxProcess().run("SELECT 1 AS a", views, 1)


def test_ctrl_c_ends_the_statement_and_its_process(views: dict[str, Path]) -> None:
    sandbox = SandboxProcess(timeout_s=60)
    sandbox.run("SELECT 1 AS a", views, 1)
    (process,) = sandbox._idle
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        sandbox.run(ONE_LONG_CALL, views, 1)
    timer.join()
    assert process.returncode == -signal.SIGKILL


def test_threads_share_the_processes(views: dict[str, Path]) -> None:
    sandbox = SandboxProcess()
    found: list[object] = []

    def work() -> None:
        for n in range(5):
            found.append(sandbox.run(f"SELECT count(*) + {n} AS n FROM harvest", views, 1).rows[0][0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([3, 4, 5, 6, 7] * 4)
    assert len(sandbox._idle) <= 2
