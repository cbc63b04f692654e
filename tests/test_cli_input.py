"""What the command line is given: options on either side, words, standard input, file names of every kind."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from tests.command_line import Finished, process
from tests.questions import FIGURE

Run = Callable[..., Finished]


def test_data_and_config_stand_before_or_after_the_command(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    config = tmp_path / "other.toml"
    config.write_text("[answer]\ntop_k = 9\n")
    for arguments in (
        ["--data", small_data, "--config", config, "doctor", "--json"],
        ["doctor", "--json", "--data", small_data, "--config", config],
        ["--data", "wrong", "--config", config, "doctor", "--data", small_data, "--json"],
    ):
        report = polyrag(*arguments).json
        assert report["data"] == str(small_data)
        found = report["settings"]["answer.top_k"]
        assert (found["value"], found["origin"]) == (9, f"other.toml: {config}")
    assert polyrag("doctor", "--json").json["data"] == str(Path.cwd() / ".polyrag")


def test_words_need_no_quotes_and_a_dash_reads_stdin(polyrag: Run, small_data: Path) -> None:
    quoted = polyrag("--data", small_data, "ask", "--no-cache", FIGURE)
    assert quoted.code == 0
    assert polyrag("--data", small_data, "ask", "--no-cache", *FIGURE.split()).out == quoted.out
    assert polyrag("--data", small_data, "ask", "--no-cache", "-", stdin=FIGURE.encode()).out == quoted.out
    assert "no words" in polyrag("--data", small_data, "ask", "-", stdin=b" \n").failed(2)
    assert polyrag("--data", small_data, "ask", "-", stdin=b"\xff\xfe balsa").code in (0, 1)


def test_a_question_of_100_kilobytes_ends_in_bounded_time(polyrag: Run, small_data: Path) -> None:
    words = ("receita da balsa em Foz, vento " * 3300).encode()
    started = time.process_time()
    done = polyrag("--data", small_data, "ask", "-", stdin=words)
    assert done.code in (0, 1)
    assert time.process_time() - started < 60
    for text in (b"a" * 100_000, b"?" * 100_000 + b"a"):
        assert polyrag("--data", small_data, "ask", "-", stdin=text).code in (0, 1)
    assert "longer than 200,000" in polyrag("--data", small_data, "ask", "-", stdin=b"ab " * 70_000).failed(2)


def test_a_text_from_stdin_becomes_a_document(polyrag: Run, own_data: Path) -> None:
    done = polyrag("--data", own_data, "ingest", "-", "--name", "buoy.txt", stdin="A bóia azul é de Foz.".encode())
    assert done.code == 0 and "buoy.txt" in done.out and "1 added" in done.out
    assert "A bóia azul é de Foz." in polyrag("--data", own_data, "search", "bóia azul").out


def test_file_names_of_every_kind(polyrag: Run, own_data: Path) -> None:
    names = ["with space.txt", "açaí.txt", unicodedata.normalize("NFD", "café.txt"), "🚢.txt", "-dash.txt", "[b] x.txt"]
    for number, name in enumerate(names):
        Path(name).write_text(f"Lantern number {number} hangs over the quay.")
    report = polyrag("--data", own_data, "ingest", "--json", "--", *names).json
    expected = sorted(unicodedata.normalize("NFC", name) for name in names)
    assert [(file["document"], file["status"]) for file in report["files"]] == [(name, "added") for name in expected]
    for name in expected:
        shown = polyrag("--data", own_data, "corpus", "show", "--json", "--", name).json
        assert [entry["chunk"]["document"] for entry in shown["chunks"]] == [name]
        done = polyrag("--data", own_data, "corpus", "remove", "--", name)
        assert (done.code, done.out) == (0, "")


def test_a_name_that_is_not_utf8(own_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt"))).write_text("A text about coffee on board.")
    done = process("--data", own_data, "ingest", folder, cwd=tmp_path)
    assert done.code == 0 and "1 added" in done.out
    asked = process("--data", own_data, "ask", "--json", os.fsdecode(b"coffee on board caf\xe9"), cwd=tmp_path)
    assert asked.json["sources"][0]["document"] == "caf\N{REPLACEMENT CHARACTER}.txt"
