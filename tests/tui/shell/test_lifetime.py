"""The dashboard in a real terminal: how it opens, and how it ends by a key, a signal or an error."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.command_line import HASHING, PATIENCE_S, environment

ENTERED = b"\x1b[?1049h"
LEFT = b"\x1b[?1049l"
"""What puts the terminal's own screen back."""
_QUIT = b"\x11"
# Whoever runs the tests may have a terminal of another size, or say so.
OWN_TERMINAL = {"TERM": "xterm-256color", "COLUMNS": None, "LINES": None}


# The program as a locale without other characters has it.
ASCII = """
import sys
sys.__stderr__.reconfigure(encoding="ascii", errors="backslashreplace")
from polyrag_cli.cli import main
main()
"""
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command in a pseudo terminal of 120 × 40 cells."""

    def __init__(self, *arguments: str | Path, cwd: Path, code: str = "") -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            program = ["-c", code] if code else ["-m", "polyrag_cli"]
            command = [sys.executable, *program, *map(str, arguments)]
            os.execve(sys.executable, command, environment(**HASHING, **OWN_TERMINAL))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.output = b""

    def until(self, wanted: bytes, seconds: float = PATIENCE_S) -> None:
        """Reads until something was drawn, in however many pieces."""
        deadline = time.monotonic() + seconds
        while wanted not in self.output and wanted not in _ESCAPES.sub(b"", self.output):
            assert time.monotonic() < deadline and self._read(), self.output[-2000:]

    def put(self, text: str) -> None:
        """Pastes a text and waits until it is drawn."""
        os.write(self.fd, f"\x1b[200~{text}\x1b[201~".encode())
        self.until(text.encode())

    def end(self, seconds: float = PATIENCE_S) -> int:
        """Reads to the end and returns the exit code."""
        deadline = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < deadline, "it doesn't end"
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self) -> bool:
        if not select.select([self.fd], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.output += data
        return bool(data)


@pytest.mark.parametrize(
    "code", [pytest.param("", id="utf-8", marks=pytest.mark.long), pytest.param(ASCII, id="ascii")]
)
def test_a_key_ends_it_and_the_terminal_is_itself_again(small_data: Path, tmp_path: Path, code: str) -> None:
    terminal = Terminal("tui", "--data", small_data, cwd=tmp_path, code=code)
    terminal.until("6 documents · 1 table".encode())
    os.write(terminal.fd, _QUIT)
    assert terminal.end() == 0
    assert terminal.output.rstrip().endswith(b"l") and LEFT in terminal.output and b"Traceback" not in terminal.output
    # The locale shifts nothing.
    assert b"\\u" not in terminal.output


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
        pytest.param(signal.SIGINT, marks=pytest.mark.long),
    ],
)
def test_a_signal_ends_it_cleanly_and_the_draft_is_kept(own_data: Path, tmp_path: Path, number: int) -> None:
    terminal = Terminal("tui", "--data", own_data, cwd=tmp_path)
    terminal.until(b"6 documents")
    terminal.put("half a question")
    os.kill(terminal.pid, number)
    assert terminal.end() == 128 + number
    assert LEFT in terminal.output and b"Traceback" not in terminal.output
    assert "half a question" in (own_data / "tui-session.json").read_text()


@pytest.mark.long
def test_a_session_that_could_not_be_kept_is_told_at_the_end(own_data: Path, tmp_path: Path) -> None:
    (own_data / "tui-session.json").mkdir()
    terminal = Terminal("tui", "--data", own_data, cwd=tmp_path)
    # Nothing is kept before what was kept earlier is known.
    terminal.until(b"tui-session.json")
    terminal.put("half a question")
    os.write(terminal.fd, _QUIT)
    assert terminal.end() == 0
    after = terminal.output.rpartition(LEFT)[2].decode()
    assert "polyrag tui: the session isn't kept: " in after and after.count("\n") == 1


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        pytest.param("LinuxDriver.__init__", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("LinuxDriver.__init__", signal.SIGHUP, marks=pytest.mark.long),
        pytest.param("LinuxDriver.__init__", signal.SIGINT, marks=pytest.mark.long),
        pytest.param("LinuxDriver.start_application_mode", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("LinuxDriver.start_application_mode", signal.SIGHUP, marks=pytest.mark.long),
        ("LinuxDriver.start_application_mode", signal.SIGINT),
    ],
)
def test_a_signal_while_it_opens_leaves_the_terminal_as_it_was(
    small_data: Path, tmp_path: Path, number: int, moment: str
) -> None:
    kind = moment.partition(".")[0]
    code = (
        "import os\n"
        f"from textual.drivers.linux_driver import {kind}\n"
        f"inner = {moment}\n"
        "def opening(*arguments, **options):\n"
        "    inner(*arguments, **options)\n"
        f"    os.kill(os.getpid(), {number})\n"
        f"{moment} = opening\n"
        "from polyrag_cli.cli import main\n"
        "main()\n"
    )
    terminal = Terminal("tui", "--data", small_data, cwd=tmp_path, code=code)
    assert terminal.end() == 128 + number
    assert terminal.output.count(ENTERED) == terminal.output.count(LEFT) and b"Traceback" not in terminal.output


@pytest.mark.parametrize("moment", [pytest.param("PolyRAG ─ opening", marks=pytest.mark.long), "6 documents"])
def test_a_closed_terminal_ends_it(own_data: Path, tmp_path: Path, moment: str) -> None:
    hung_up = Terminal("tui", "--data", own_data, cwd=tmp_path)
    hung_up.until(moment.encode())
    os.close(hung_up.fd)
    deadline = time.monotonic() + PATIENCE_S
    while (ended := os.waitpid(hung_up.pid, os.WNOHANG)) == (0, 0):
        assert time.monotonic() < deadline, "it goes on without its terminal"
        time.sleep(0.05)
    assert os.waitstatus_to_exitcode(ended[1]) != 0


@pytest.mark.long
def test_a_terminal_that_is_gone_without_a_signal_ends_it(own_data: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    command = [sys.executable, "-m", "polyrag_cli", "tui", "--data", str(own_data)]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    # In a session of its own, which that terminal doesn't control: nobody tells it that the terminal is closed.
    variables = environment(**HASHING, **OWN_TERMINAL)
    with subprocess.Popen(command, cwd=tmp_path, env=variables, start_new_session=True, **streams) as dashboard:  # type: ignore[call-overload]
        os.close(theirs)
        output, deadline = b"", time.monotonic() + PATIENCE_S
        while b"6 documents" not in output and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.1)[0]:
                output += os.read(ours, 65536)
        os.close(ours)
        try:
            assert b"6 documents" in output
            assert dashboard.wait(PATIENCE_S) == 128 + signal.SIGHUP
        finally:
            dashboard.kill()


def test_an_error_is_one_line_and_exit_3(small_data: Path, tmp_path: Path) -> None:
    code = (
        "from polyrag_cli.tui.shell.header_line import HeaderLine\n"
        "HeaderLine.watch_summary = lambda self, summary: 1 / 0\n"
        "from polyrag_cli.cli import main\n"
        "main()\n"
    )
    terminal = Terminal("tui", "--data", small_data, cwd=tmp_path, code=code)
    assert terminal.end() == 3
    after = terminal.output.rpartition(LEFT)[2].decode()
    assert "Traceback" not in after and after.count("\n") == 1
    assert "polyrag tui: unexpected ZeroDivisionError: division by zero" in after


def test_work_that_still_runs_doesnt_keep_it(small_data: Path, tmp_path: Path) -> None:
    code = (
        "import time\n"
        "from polyrag_cli.engine import Engine\n"
        "Engine.headings = lambda self: time.sleep(600)\n"
        "from polyrag_cli.tui.app import PolyRAGApp\n"
        "ready = PolyRAGApp.on_engine_ready\n"
        "def on_engine_ready(self):\n"
        "    ready(self)\n"
        "    self.run_worker(self.engine.result().headings, thread=True)\n"
        "PolyRAGApp.on_engine_ready = on_engine_ready\n"
        "from polyrag_cli.cli import main\n"
        "main()\n"
    )
    terminal = Terminal("tui", "--data", small_data, cwd=tmp_path, code=code)
    terminal.until(b"6 documents")
    os.write(terminal.fd, _QUIT)
    assert terminal.end() == 0


def test_opening_loads_no_store(tmp_path: Path) -> None:
    code = (
        "import sys, polyrag_cli.cli, polyrag_cli.tui.app\n"
        "heavy = {'numpy', 'duckdb', 'faiss', 'sqlglot', 'opentelemetry', 'networkx', 'aiohttp'} & set(sys.modules)\n"
        "print(sorted(heavy), 'ok')"
    )
    terminal = Terminal(cwd=tmp_path, code=code)
    assert terminal.end() == 0
    assert terminal.output.strip() == b"[] ok"
