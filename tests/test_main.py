"""An interruption at any point of the process `polyrag`: never a traceback, never half an output as success."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import HASHING, PATIENCE_S, Finished, environment
from tests.sampling import only_long

# Has a signal reach the process when it imports a module, whatever the speed of the machine.
PROCESS = """
import os, signal, sys
from polyrag_cli.__main__ import main

moment, sys.argv = sys.argv[1], sys.argv[1:]

def interrupt(event, arguments):
    if event == "import" and arguments[0] == moment:
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
"""


def interrupted(moment: str, *arguments: str | Path, before: str = "", start: str = "main()") -> Finished:
    """Runs a command that gets SIGINT when it imports the module `moment`."""
    done = subprocess.run(
        [sys.executable, "-c", PROCESS + before + "\n" + start, moment, *arguments],
        env=environment(**HASHING),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "moment", ["polyrag_cli.cli", *only_long("typer", "polyrag_cli.commands.ask", "polyrag_cli.errors")]
)
def test_before_the_command_line_is_there_the_signal_ends_the_process(moment: str) -> None:
    assert interrupted(moment, "--version") == Finished(-signal.SIGINT, "", "")


@pytest.mark.parametrize("moment", ["polyrag_cli.engine", *only_long("sqlite3", "numpy")])
def test_within_a_command_it_is_130_and_one_line(moment: str, own_data: Path) -> None:
    done = interrupted(moment, "--data", own_data, "ask", "balsa")
    assert done == Finished(130, "", "polyrag: interrupted; what was committed stays.\n")


@pytest.mark.parametrize(
    "before",
    [
        "from polyrag_cli import cli\ncli._open_standard_streams = lambda: os.kill(os.getpid(), signal.SIGINT)",
        "import gc\ngc.freeze = lambda: os.kill(os.getpid(), signal.SIGINT)",
    ],
)
def test_around_a_command_it_is_130_without_a_traceback(before: str) -> None:
    done = interrupted("", "--version", before=before)
    assert (done.code, done.err) == (130, "")


def test_at_the_end_of_the_process_the_signal_ends_it() -> None:
    before = "import atexit\natexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))"
    done = interrupted("", "--version", before=before)
    assert (done.code, done.err) == (-signal.SIGINT, "")


def test_who_ignores_interruptions_goes_on_to_do_so() -> None:
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = interrupted("typer", "--version", before=before)
    assert (done.code, done.err) == (0, "") and done.out.startswith("polyrag ")


def test_another_thread_may_run_it() -> None:
    start = "import threading\nthread = threading.Thread(target=main)\nthread.start()\nthread.join()"
    done = interrupted("", "--version", start=start)
    assert (done.code, done.err) == (0, "") and done.out.startswith("polyrag ")


def test_the_command_line_as_a_library_leaves_the_handler_alone() -> None:
    start = (
        "from polyrag_cli import cli\nassert cli.run(['--version']) == 0\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    assert interrupted("", start=start).code == 0
