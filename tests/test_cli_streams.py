"""What goes to which stream: pipes, terminals, encodings, readers that leave, streams that are closed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import HASHING, PATIENCE_S, Finished, environment, process
from tests.questions import FIGURE, RULE
from tests.sampling import only_long

Run = Callable[..., Finished]


def test_piped_the_answer_is_the_first_line_and_the_decision_is_on_stderr(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", FIGURE)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("8.151")
    assert "trace" not in done.out
    assert done.err.count("\n") == 1
    assert done.err.startswith("relational ") and " · final margin " in done.err and " · trace " in done.err


def test_nothing_found_is_code_1_with_the_closest_heading(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "Quem descobriu a penicilina?")
    assert done.code == 1
    assert done.out.startswith("Nothing in this corpus answers that. Closest: ")
    empty = polyrag("--data", small_data, "search", "zzzzqqqq xyxyxy", "--strategy", "lexical")
    assert (empty.code, empty.out) == (1, "")
    assert empty.err == "Nothing found.\n"


@pytest.mark.parametrize(
    "arguments",
    [["ask", "--explain", RULE], ["route", "--explain", RULE], ["search", "balsa"], ["corpus", "tables"], ["doctor"]],
    ids=lambda arguments: arguments[0],
)
def test_no_escape_codes_when_piped(polyrag: Run, small_data: Path, arguments: list[str]) -> None:
    done = polyrag("--data", small_data, *arguments)
    assert done.code == 0
    assert "\x1b" not in done.out + done.err


def in_terminal(arguments: list[str | Path], cwd: Path, columns: int = 80, **changes: str | None) -> tuple[int, str]:
    """Runs a command with all streams on a terminal; its exit code and what appeared."""
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = environment(
        **{**HASHING, "TERM": "xterm-256color", "COLUMNS": None, "LINES": None, "FORCE_COLOR": None, **changes}
    )
    child = subprocess.Popen(
        [sys.executable, "-m", "polyrag_cli", *arguments],
        cwd=cwd,
        env=env,
        stdin=follower,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            read = os.read(leader, 65536)
        except OSError:
            break
        if not read:
            break
        shown += read
    os.close(leader)
    return child.wait(), shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colour_and_the_decision_unless_no_color_is_set(small_data: Path, tmp_path: Path) -> None:
    code, shown = in_terminal(["--data", small_data, "ask", "--no-cache", FIGURE], tmp_path, NO_COLOR=None)
    assert code == 0
    assert "\x1b[" in shown and " · trace " in shown
    code, plain = in_terminal(["--data", small_data, "ask", "--no-cache", FIGURE], tmp_path, NO_COLOR="1")
    assert code == 0
    # NO_COLOR is about colour: dim and bold may stay.
    assert "\x1b[3" not in plain and "\x1b[9" not in plain
    assert plain.startswith("8.151")


def test_an_explained_decision_fits_80_columns(small_data: Path, tmp_path: Path) -> None:
    code, shown = in_terminal(["--data", small_data, "route", "--explain", RULE], tmp_path, NO_COLOR="1", TERM="dumb")
    assert code == 0
    tables = [line for line in shown.splitlines() if "strategy" not in line and "stage" not in line]
    assert max(map(len, tables)) <= 80
    assert "winning anchor" in shown and "tau_low" in shown and "margin" in shown


@pytest.mark.parametrize(
    "arguments",
    [["ask", RULE], ["--help"], *only_long(["corpus", "tables"], ["doctor"], ["ask", "--json", RULE])],
)
def test_a_reader_that_leaves_early_is_no_failure(small_data: Path, tmp_path: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    child = subprocess.Popen(
        [sys.executable, "-m", "polyrag_cli", "--data", str(small_data), *arguments],
        cwd=tmp_path,
        env=environment(**HASHING),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    _, err = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 0
    assert "Broken" not in err and "Traceback" not in err and "Exception" not in err


def test_an_encoding_that_lacks_characters_gets_escapes(small_data: Path, tmp_path: Path) -> None:
    env = environment(**HASHING, PYTHONIOENCODING="ascii")
    done = process("--data", small_data, "ask", "--explain", RULE, cwd=tmp_path, env=env)
    assert done.code == 0 and done.out.isascii() and done.err.isascii()
    answer = process("--data", small_data, "ask", "--json", RULE, cwd=tmp_path, env=env)
    assert answer.out.isascii()
    assert answer.json["question"] == RULE


def test_a_working_directory_that_is_gone(small_data: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m polyrag_cli --data {small_data} ask balsa"
    done = subprocess.run(["sh", "-c", script], env=environment(**HASHING), capture_output=True, text=True, check=False)
    Finished(done.returncode, done.stdout, done.stderr).failed(3)


@pytest.mark.parametrize("number", [0, 1, *only_long(2)])
def test_closed_standard_streams_are_no_accident(own_data: Path, tmp_path: Path, number: int) -> None:
    before = (own_data / "catalog.sqlite").read_bytes()
    script = f'exec {number}>&-; exec "$0" -m polyrag_cli --data "$1" ask -'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable, str(own_data)],
        cwd=tmp_path,
        env=environment(**HASHING),
        input=FIGURE.encode() if number else None,
        capture_output=True,
        check=False,
    )
    assert done.returncode == (0 if number else 2)
    assert b"Traceback" not in done.stdout + done.stderr
    assert (own_data / "catalog.sqlite").read_bytes() == before


def test_what_is_asked_for_is_bold_on_a_terminal_and_named_in_the_json(
    polyrag: Run, small_data: Path, tmp_path: Path
) -> None:
    question = "How long are umbrellas left on board kept?"
    done = polyrag("--data", small_data, "ask", "--no-cache", "--json", question)
    said = json.loads(done.out)
    start, end = said["answer_span"]
    assert said["answer"][start:end] == "thirty (30) days"
    code, shown = in_terminal(["--data", small_data, "ask", "--no-cache", question], tmp_path, NO_COLOR=None)
    assert code == 0
    assert "\x1b[1mthirty (30) days\x1b[0m" in shown
