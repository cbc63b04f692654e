"""Files, folders and disks that are not as they should be. What needs rights or limits of its own runs in a process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.errors import UsageError
from tests.command_line import PATIENCE_S, ROOT
from tests.ingest.conftest import Corpus

PREAMBLE = """
import json, os, resource, sys
from pathlib import Path
from polyrag_cli.errors import PolyRAGError
from tests.ingest.conftest import Corpus

folder, data = Path(sys.argv[1]), Path(sys.argv[2])

def report(files):
    print(json.dumps({name: [file.status, file.reason, file.chunks] for name, file in files.items()}))

def drop_rights():
    # Whatever is imported late has to be there already: an unprivileged user may not see the interpreter's files.
    warm = Corpus(data.with_name("warm"))
    warm.ingest(folder)
    warm.ingest(folder)
    warm.catalog.close()
    if os.geteuid() == 0:
        os.setegid(65534)
        os.seteuid(65534)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o777)
        (Path(name) / "in").mkdir(mode=0o755)
        yield Path(name)


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PREAMBLE + script, str(folder / "in"), str(folder / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def result(script: str, folder: Path) -> Any:
    done = run(script, folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# ---------------------------------------------------------------- content
FILES: dict[str, tuple[bytes, str, str]] = {
    "empty.txt": (b"", "skipped", "empty file"),
    "blank.md": (b"\n \n", "skipped", "no text and no table in it"),
    "mark.csv": (b"\xef\xbb\xbf", "skipped", "no text and no table in it"),
    "binary.csv": (bytes(range(256)) * 10, "failed", "binary file, not text."),
    "image.txt": (
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        "failed",
        "binary file (a PNG image), not text. Give it the suffix of its format.",
    ),
    "broken.xlsx": (b"PK\x03\x04 not really", "failed", "broken workbook (BadZipFile: File is not a zip file)."),
    "bad.jsonl": (b'{"a": 1}\n{"a": \n', "failed", "line 2: not JSON (Expecting value)."),
    "good.txt": (b"A good text.", "added", ""),
    "nul.txt": (b"With\x00 a zero.", "added", ""),
    "lone.jsonl": (b'{"id": "\\ud800x", "text": "Lone \\udfff here."}', "added", ""),
    "bom.csv": (b"\xef\xbb\xbfname,select\nAda,1\nBea,2\n", "added", ""),
    "wide.csv": ("name;válido\nAda;1\nBea;2\n".encode("utf-16"), "added", ""),
    "ragged.csv": (b"a,b,b,\n1,2\n3,4,5,6,7\n8,9,10,11\n12,13,14,15\n", "added", ""),
}


def test_every_kind_of_bad_file_among_good_ones(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, (content, _, _) in FILES.items():
        (folder / name).write_bytes(content)
    report = corpus.ingest(folder)
    assert {name: (file.status, file.reason) for name, file in report.items()} == {
        name: (status, reason) for name, (_, status, reason) in FILES.items()
    }
    assert "Duplicate column names: b." in report["ragged.csv"].warnings
    assert corpus.text("nul.txt") == "With a zero."
    assert "lone.jsonl#x" in corpus.documents()
    with corpus.catalog.snapshot() as snapshot:
        execute = corpus.stores.relational.execute
        assert execute(snapshot, 'SELECT SUM("select") FROM bom').rows == ((3,),)
        columns = {
            schema.name: [column.label for column in schema.columns]
            for schema in corpus.stores.relational.schemas(snapshot)
        }
    assert columns["wide"] == ["name", "válido"]
    assert columns["ragged"][:3] == ["a", "b", "b"]


def test_names_of_all_kinds(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    names = [
        "with space.txt",
        "açaí.txt",
        unicodedata.normalize("NFD", "café.txt"),
        "🚢.txt",
        "-leading.txt",
        "a#b.txt",
    ]
    for name in names:
        (folder / name).write_text(f"Text of {name}.")
    report = corpus.ingest(folder)
    assert set(report) == {unicodedata.normalize("NFC", name) for name in names}
    assert {file.status for file in report.values()} == {"added"}
    assert {file.status for file in corpus.ingest(folder).values()} == {"unchanged"}


def test_folders_without_readable_files_and_missing_paths(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "loop").symlink_to(tmp_path / "none")
    assert corpus.ingest(tmp_path / "none") == {}
    with pytest.raises(UsageError):
        corpus.ingest(tmp_path / "gone")
    assert corpus.generation() == 0


@pytest.mark.parametrize("size", [200_000, pytest.param(50_000_000, marks=pytest.mark.long)], ids=["200 kB", "50 MB"])
def test_one_endless_line(open_folder: Path, size: int) -> None:
    script = """
corpus = Corpus(data)
files = corpus.ingest(folder)
# Not ru_maxrss: that one starts with the size of the process that started this one.
peak = next(int(x.split()[1]) for x in open("/proc/self/status") if x.startswith("VmHWM")) // 1024
print(json.dumps([[file.status, file.chunks, file.warnings] for file in files.values()] + [peak]))
"""
    (open_folder / "in" / "spaces.txt").write_text("lorem ipsum " * (size // 12))
    (open_folder / "in" / "solid.md").write_text("x" * size)
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + script, str(open_folder / "in"), str(open_folder / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    solid, spaces, peak = json.loads(done.stdout)
    limit = min(size, 2_000_000)
    assert solid[0] == spaces[0] == "added"
    assert limit / 1200 <= solid[1] <= limit / 500
    assert limit / 1200 <= spaces[1] <= limit / 500
    assert bool(spaces[2]) is (size > limit)
    assert peak < 600


# ---------------------------------------------------------------- rights, space, death
def test_an_unreadable_file_among_good_ones(open_folder: Path) -> None:
    folder = open_folder / "in"
    (folder / "sub").mkdir()
    for name in ("a.txt", "closed.txt", "z.txt", "sub/inner.txt"):
        (folder / name).write_text(f"Text of {name}.")
    script = """
drop_rights()
corpus = Corpus(data)
(before := corpus.ingest(folder))
os.seteuid(0) if os.getuid() == 0 else None
(folder / "closed.txt").chmod(0)
(folder / "sub").chmod(0)
os.seteuid(65534) if os.getuid() == 0 else None
report(corpus.ingest(folder))
print(json.dumps([corpus.documents(), {name: file.status for name, file in before.items()}]))
"""
    done = run(script, open_folder)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    (folder / "sub").chmod(0o755)
    assert lines[0] == {
        "a.txt": ["unchanged", "", 0],
        "closed.txt": ["failed", "can't be read (Permission denied). The earlier version stays.", 0],
        "sub": ["failed", "can't be read (Permission denied)", 0],
        "z.txt": ["unchanged", "", 0],
    }
    assert lines[1][0] == ["a.txt", "closed.txt", "sub/inner.txt", "z.txt"]


def test_a_read_only_data_directory(open_folder: Path) -> None:
    (open_folder / "in" / "a.txt").write_text("Some text.")
    script = """
corpus = Corpus(data)
corpus.ingest(folder)
corpus.catalog.close()
(folder / "b.txt").write_text("More text.")
for path in [data, *data.rglob("*")]:
    path.chmod(0o555 if path.is_dir() else 0o444)
drop_rights()
try:
    corpus = Corpus(data)
    report(corpus.ingest(folder))
except PolyRAGError as error:
    print(json.dumps({"raised": [type(error).__name__, error.message, 0]}))
"""
    found = result(script, open_folder)
    (status, reason, _) = found.get("raised") or found["b.txt"]
    assert status in ("StoreError", "failed")
    assert "permission denied or read-only" in reason


def test_a_full_disk_leaves_nothing_half_written(open_folder: Path) -> None:
    folder = open_folder / "in"
    (folder / "small.txt").write_text("Some text.")
    script = """
corpus = Corpus(data)
corpus.ingest(folder)
before = corpus.fingerprint()
limit = corpus.paths.catalog.stat().st_size + 50_000
text = "".join(f"Sentence number {n} of a long text about ropes. " for n in range(1500))
(folder / "large.txt").write_text(text)
(folder / "large.csv").write_text("a,b\\n" + "".join(f"{n},{n * 7919 ** 5 % 10 ** 15:x}\\n" for n in range(20000)))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
files = corpus.ingest(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
same = corpus.fingerprint() == before
after = corpus.ingest(folder)
print(json.dumps([{n: [f.status, f.reason] for n, f in files.items()}, same, {n: f.status for n, f in after.items()}]))
"""
    files, same, after = result(script, open_folder)
    assert {name: status for name, (status, _) in files.items()} == {
        "large.csv": "failed",
        "large.txt": "failed",
        "small.txt": "unchanged",
    }
    assert all("the disk is full or a size limit is reached" in files[name][1] for name in ("large.csv", "large.txt"))
    assert same
    assert after == {"large.csv": "added", "large.txt": "added", "small.txt": "unchanged"}


@pytest.mark.parametrize(
    "delay", [pytest.param(0.02, marks=pytest.mark.long), 0.2, pytest.param(0.5, marks=pytest.mark.long)]
)
def test_a_kill_at_any_point_leaves_the_corpus_as_before_or_after(
    open_folder: Path, new_corpus: Callable[[str], Corpus], delay: float
) -> None:
    folder = open_folder / "in"
    (folder / "a.jsonl").write_text("".join(json.dumps({"id": n, "text": f"Old text {n}."}) + "\n" for n in range(300)))
    corpus, fresh = Corpus(open_folder / "data"), new_corpus("fresh")
    corpus.ingest(folder)
    before = corpus.fingerprint()
    (folder / "a.jsonl").write_text("".join(json.dumps({"id": n, "text": f"New text {n}."}) + "\n" for n in range(400)))
    fresh.ingest(folder)
    script = 'corpus = Corpus(data)\nprint("go", flush=True)\ncorpus.ingest(folder)\n'
    process = subprocess.Popen(
        [sys.executable, "-c", PREAMBLE + script, str(folder), str(open_folder / "data")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    with process, process.stdout:
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    assert corpus.fingerprint() in (before, fresh.fingerprint())
    corpus.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()
    corpus.catalog.close()
