"""Missing rights, full disks and signals: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.jobs import Jobs
from tests.command_line import HASHING, PATIENCE_S, ROOT, Finished, environment, process
from tests.questions import FIGURE


@pytest.fixture
def open_folder() -> Path:
    """A folder that every user may enter, unlike pytest's own."""
    import tempfile

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder  # type: ignore[misc]
    shutil.rmtree(folder, ignore_errors=True)


UNPRIVILEGED = """
import os, secrets, sys, tempfile, time
import filelock
from polyrag_cli.cli import run

# Whatever is imported late has to be there already: an unprivileged user may not see the interpreter's files.
warm, arguments = sys.argv[1], sys.argv[2:]
with open(warm + "/warm.txt", "w") as file:
    file.write(f"Some words at {time.time()}.")
run(["--data", warm, "ingest", warm + "/warm.txt"])
for question in ("balsa", "receita total", "receita por linha"):
    run(["--data", warm, "ask", "--explain", question])
    run(["--data", warm, "search", question])
os.write(1, b"\\x00")
os.write(2, b"\\x00")
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
sys.exit(run(arguments))
"""


def unprivileged(own_data: Path, cwd: Path, *arguments: str | Path) -> Finished:
    """Runs a command without the rights of root; skips where only root may see this checkout."""
    if os.geteuid() == 0 and not all(folder.stat().st_mode & 0o001 for folder in (ROOT, *ROOT.parents)):
        pytest.skip("an unprivileged user can't read this checkout")
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, str(own_data), *map(str, arguments)],
        cwd=cwd,
        env=environment(**HASHING),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert "\0" in done.stdout and "\0" in done.stderr, done.stderr
    return Finished(done.returncode, done.stdout.split("\0", 1)[1], done.stderr.split("\0", 1)[1])


def test_an_unreadable_file_among_good_ones(own_data: Path, open_folder: Path) -> None:
    folder = open_folder / "in"
    folder.mkdir()
    for name in ("a.txt", "closed.txt", "z.txt"):
        (folder / name).write_text(f"The text of {name}.")
    (folder / "closed.txt").chmod(0)
    (open_folder / "data").mkdir(mode=0o777)
    (open_folder / "data").chmod(0o777)
    done = unprivileged(own_data, open_folder, "--data", open_folder / "data", "ingest", folder)
    assert done.code == 3
    assert "2 added" in done.out and "1 failed" in done.out
    (line,) = [line for line in done.out.splitlines() if "closed.txt" in line]
    assert "failed" in line and "Permission denied" in line
    asked = unprivileged(own_data, open_folder, "--data", open_folder / "data", "search", "text of z")
    assert "z.txt" in asked.out


def test_a_read_only_data_directory(own_data: Path, small_data: Path, open_folder: Path) -> None:
    data = Path(shutil.copytree(small_data, open_folder / "data"))
    (open_folder / "new.txt").write_text("New text.")
    for path in [*data.rglob("*"), data]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    asked = unprivileged(own_data, open_folder, "--data", data, "ask", FIGURE)
    assert asked.code == 0
    assert asked.out.splitlines()[0].startswith("8.151")
    assert "note: " in asked.err and "read-only" in asked.err
    ingested = unprivileged(own_data, open_folder, "--data", data, "ingest", open_folder / "new.txt")
    assert ingested.code == 3
    assert "Traceback" not in ingested.err
    assert "read-only" in ingested.err + ingested.out


def test_a_full_disk(own_data: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("".join(f"Sentence number {n} of a long text about ropes. " for n in range(1200)))
    limit = (own_data / "catalog.sqlite").stat().st_size + 20_000
    limited = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "from polyrag_cli.cli import main\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, "--data", str(own_data), "ingest", str(large)],
        cwd=tmp_path,
        env=environment(**HASHING),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "disk is full" in done.stdout + done.stderr
    asked = process("--data", own_data, "ask", "--no-cache", FIGURE, cwd=tmp_path)
    assert asked.out.startswith("8.151")
    again = process("--data", own_data, "ingest", large, cwd=tmp_path)
    assert again.code == 0 and "1 added" in again.out


def test_an_interruption_is_130_and_one_line(own_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(150):
        (folder / f"{number}.txt").write_text("".join(f"Line {n} of {number} tells of ropes.\n\n" for n in range(150)))
    child = subprocess.Popen(
        [sys.executable, "-m", "polyrag_cli", "--data", str(own_data), "ingest", str(folder)],
        cwd=tmp_path,
        env=environment(**HASHING),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    jobs, deadline = Jobs(DataPaths(own_data).jobs), time.monotonic() + PATIENCE_S
    while not any(job.done for job in jobs.running()):
        assert child.poll() is None and time.monotonic() < deadline, "nothing is ingested"
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 130
    assert err.splitlines()[-1] == "polyrag: interrupted; what was committed stays."
    assert "Traceback" not in err and out == ""
    assert process("--data", own_data, "ask", FIGURE, cwd=tmp_path).code == 0
