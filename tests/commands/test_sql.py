"""polyrag sql: one statement, or one after another from a prompt or a pipe."""

from __future__ import annotations

import csv
import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from polyrag_cli.commands.sql_prompt import SQLCompleter, is_complete, prompted
from tests.command_line import HASHING, PATIENCE_S, Finished, environment

Run = Callable[..., Finished]

SUM = "SELECT linha, sum(passageiros) AS n FROM travessias GROUP BY linha ORDER BY n DESC"


def test_a_statement_is_a_table_json_or_csv(polyrag: Run, small_data: Path) -> None:
    assert polyrag("--data", small_data, "sql", SUM).out.split() == [
        *("linha", "n", "─" * 17, "Barca", "Velha", "398", "Amieira", "215", "Foz", "156"),
    ]
    found = polyrag("--data", small_data, "sql", "--json", SUM).json
    assert (found["columns"], found["rows"][0]) == (["linha", "n"], ["Barca Velha", 398])
    assert found["types"] == ["VARCHAR", "HUGEINT"]
    text = polyrag("--data", small_data, "sql", "--csv", SUM).out
    assert list(csv.reader(io.StringIO(text))) == [
        ["linha", "n"],
        ["Barca Velha", "398"],
        ["Amieira", "215"],
        ["Foz", "156"],
    ]


def test_csv_keeps_what_would_break_a_line(polyrag: Run, small_data: Path) -> None:
    sql = "SELECT 'a, \"b\"' || chr(10) || 'c' AS x, NULL AS y FROM travessias LIMIT 1".replace("chr(10)", "'\n'")
    text = polyrag("--data", small_data, "sql", "--csv", sql).out
    assert list(csv.reader(io.StringIO(text))) == [["x", "y"], ['a, "b"\nc', ""]]


def test_parquet_has_the_types_of_the_statement(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    sql = (
        "SELECT linha, receita, passageiros AS linha, DATE '2024-02-29' AS day, receita > 700 AS much, NULL AS nothing,"
        " 1.10::DECIMAL(5, 2) AS price, INTERVAL 1 DAY AS span FROM travessias"
    )
    done = polyrag("--data", small_data, "sql", "--parquet", file, sql)
    assert (done.code, done.out, done.err) == (0, "", f"{file}: 6 rows\n")
    found = duckdb.sql(f"SELECT * FROM '{file}' ORDER BY linha, receita")
    assert found.columns == ["linha", "receita", "linha_2", "day", "much", "nothing", "price", "span"]
    assert [str(kind) for kind in found.types] == [
        *("VARCHAR", "DOUBLE", "BIGINT", "DATE", "BOOLEAN", "VARCHAR", "DECIMAL(5,2)", "VARCHAR"),
    ]
    first = found.fetchall()[0]
    assert first[:2] == ("Amieira", 980.0)
    assert str(first[3]) == "2024-02-29"
    assert first[5] is None


def test_a_file_that_can_t_be_written_is_said_before_anything_runs(
    polyrag: Run, small_data: Path, tmp_path: Path
) -> None:
    assert "no folder" in polyrag("--data", small_data, "sql", "--parquet", tmp_path / "no" / "x", "SELECT").failed(2)


def test_more_rows_than_asked_for_are_told(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "sql", "--csv", "--max-rows", "2", "SELECT linha FROM travessias")
    assert done.out.count("\n") == 3
    assert "only the first 2 rows" in done.err


@pytest.mark.parametrize("shown", ["count(*) AS n", "max(passageiros) AS n", "linha, mes"])
def test_a_value_that_no_row_holds_is_told_with_the_nearest(polyrag: Run, small_data: Path, shown: str) -> None:
    sql = f"SELECT {shown} FROM travessias WHERE linha = 'Amiera'"
    done = polyrag("--data", small_data, "sql", sql)
    assert (done.code, done.err) == (0, "  note: No linha is 'Amiera'. Nearest: Amieira.\n")
    assert polyrag("--data", small_data, "sql", "--json", sql).json["notes"] == [
        "No linha is 'Amiera'. Nearest: Amieira."
    ]
    found = polyrag("--data", small_data, "sql", "SELECT linha FROM travessias WHERE linha IN ('Amiera', 'Foz')")
    assert found.err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--csv", "--json", "SELECT 1 AS a"], "--json and --csv exclude each other"),
        (["-i", "SELECT 1 AS a"], "-i takes its statements from the prompt"),
        (["-i", "--parquet", "x.parquet"], "Leave the statement and --parquet out"),
        ([], "or polyrag sql -i"),
        (["SELECT linhas FROM travessias"], "The nearest is 'linha'"),
        (["SELECT linha FROM travesias"], "The nearest is 'travessias'"),
        (["-"], "empty statement"),
    ],
)
def test_what_can_t_be_run_is_one_line(polyrag: Run, small_data: Path, arguments: list[str], said: str) -> None:
    assert said in polyrag("--data", small_data, "sql", *arguments).failed(2)


SCRIPT = b"""\\d
\\d travessias;
\\d travesias
\\x
SELECT count(*) AS n
FROM travessias; SELECT linha FROM travessias
  WHERE mes = 'janeiro' -- ; not yet
  ORDER BY 1 LIMIT 1;
SELECT lina FROM travessias;
\\?
SELECT max(passageiros) AS most FROM travessias"""


def test_a_script_in_a_pipe_runs_without_a_terminal(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "sql", "-i", stdin=SCRIPT)
    assert done.code == 2
    lines = [line.strip() for line in done.out.splitlines()]
    assert any(line.startswith("travessias") and line.endswith("travessias.csv") for line in lines)
    assert any(line.split()[:2] == ["receita", "number"] for line in lines)
    assert lines[-3:] == ["most", "────", "210"]
    assert "Amieira" in lines
    assert "\\d NAME" in done.out
    told = done.err.splitlines()
    assert told[:2] == [
        "There is no table 'travesias'. The nearest is 'travessias'.",
        "\\x: no such command. \\? lists them.",
    ]
    assert "There is no column 'lina'. The nearest is 'linha'." in told
    assert sum("1 row · " in line for line in told) == 3


def test_a_script_may_end_early_and_give_json_a_line(polyrag: Run, small_data: Path) -> None:
    script = b"SELECT 1 AS a FROM travessias LIMIT 1;\n\\q\nSELECT nothing;"
    done = polyrag("--data", small_data, "sql", "-i", "--json", stdin=script)
    assert (done.code, done.json["rows"]) == (0, [[1]])


# ---------------------------------------------------------------- the prompt
TABLES = {"travessias": ("linha", "mes", "passageiros", "receita")}


def _entered(keys: str, history: Path) -> list[str]:
    """What the prompt hands on when a person presses keys."""
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        return [entered.rstrip("\n") for entered in prompted(TABLES, history)]


ENTER, CTRL_C, CTRL_D, UP = "\r", "\x03", "\x04", "\x1b[A"


def test_a_statement_takes_as_many_lines_as_it_needs(tmp_path: Path) -> None:
    keys = f"SELECT linha{ENTER}FROM travessias;{ENTER}\\d{ENTER}{CTRL_D}"
    assert _entered(keys, tmp_path / "history") == ["SELECT linha\nFROM travessias;", "\\d"]


def test_ctrl_c_drops_what_was_begun(tmp_path: Path) -> None:
    assert _entered(f"SELECT nothing{CTRL_C}\\q{ENTER}{CTRL_D}", tmp_path / "history") == ["\\q"]


def test_statements_are_remembered_where_they_can_be(tmp_path: Path) -> None:
    first = _entered(f"SELECT 1;{ENTER}{CTRL_D}", tmp_path / "history")
    assert _entered(f"{UP}{ENTER}{CTRL_D}", tmp_path / "history") == first == ["SELECT 1;"]
    assert _entered(f"SELECT 1;{ENTER}{CTRL_D}", tmp_path / "no folder" / "history") == first


def test_completions_say_what_they_are_and_what_they_replace() -> None:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    def offered(text: str) -> list[tuple[str, int, str]]:
        found = SQLCompleter(TABLES).get_completions(Document(text), CompleteEvent())
        return [(one.text, one.start_position, one.display_meta_text) for one in found]

    assert offered("SELECT pass") == [("passageiros", -4, "column")]
    assert offered("\\d tra") == [("travessias", -3, "table")]


@pytest.mark.parametrize(("text", "ends"), [("", True), ("\\d x", True), ("a;", True), ("a; b", False), ("';", False)])
def test_enter_runs_what_is_complete(text: str, ends: bool) -> None:
    assert is_complete(text) is ends


def test_a_terminal_is_asked_and_answered(small_data: Path, tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    shell = subprocess.Popen(
        [sys.executable, "-m", "polyrag_cli", "--data", small_data, "sql", "-i"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=tmp_path,
        env=environment(**HASHING, TERM="xterm", COLUMNS="100", LINES="30"),
        start_new_session=True,
    )
    os.close(follower)
    seen = ""

    def until(text: str) -> None:
        nonlocal seen
        end = time.monotonic() + PATIENCE_S
        while text not in seen:
            assert time.monotonic() < end, seen
            if select.select([leader], [], [], 1.0)[0]:
                chunk = os.read(leader, 65536).decode("utf-8", "replace")
                # prompt_toolkit asks where the cursor is.
                if "\x1b[6n" in chunk:
                    os.write(leader, b"\x1b[1;1R")
                seen += chunk
        seen = seen.partition(text)[2]

    try:
        until("sql>")
        os.write(leader, b"SELECT sum(passageiros) AS n FROM trav\t")
        until("essias")
        os.write(leader, b";\r")
        until("769")
        os.write(leader, b"SELECT nothing FROM travessias;\r")
        until("There is no column 'nothing'.")
        os.write(leader, b"\\q\r")
        assert shell.wait(PATIENCE_S) == 0
    finally:
        shell.kill()
        shell.wait()
        os.close(leader)
