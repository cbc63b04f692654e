"""A disk that refuses: read-only folders, size limits, half-made files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.activity import Activity
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.sqlite_connections import create_catalog, file_identity
from tests.stores.corpus import document

READ = """
import os, sys
from pathlib import Path
from polyrag_cli.errors import StoreError
from polyrag_cli.stores.activity import Activity
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
paths = DataPaths(Path(sys.argv[1]))
# What is used later must be imported while the interpreter's own folder can be read.
warm = DataPaths(Path(sys.argv[2]))
with SQLiteCatalog.open(warm, create=True).writer():
    Activity(warm).clear()
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
catalog = SQLiteCatalog.open(paths, create=False)
for _ in range(2):
    with catalog.snapshot() as snapshot:
        print([found.document for found in catalog.documents(snapshot)])
print(len(Activity(paths).list_traces()))
for write in (lambda: catalog.writer().__enter__(), lambda: Activity(paths).clear()):
    try:
        write()
    except StoreError as error:
        print(error)
"""

LIMITED = """
import resource, sys
from pathlib import Path
from polyrag_cli.errors import StoreError
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from tests.stores.corpus import document
catalog = SQLiteCatalog.open(DataPaths(Path(sys.argv[1])), create=True)
with catalog.writer() as writer:
    catalog.put_document(writer, *document("a.md", ["Text."]))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    with catalog.writer() as writer:
        for n in range(2000):
            catalog.put_document(writer, *document(f"{n}.md", ["A long passage. " * 200]))
except StoreError as error:
    print(error)
with catalog.snapshot() as snapshot:
    print(snapshot.generation, [found.document for found in catalog.documents(snapshot)])
"""


def _run(script: str, *folders: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", script, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("left_open", [False, True])
def test_a_read_only_data_directory_can_be_read(tmp_path: Path, left_open: bool) -> None:
    # Not below pytest's own folder, which is closed to other users.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        lines = _read_unprivileged(DataPaths(Path(folder) / "data"), tmp_path / "warm", left_open)
    assert lines[:3] == ["['a.md']", "['a.md']", "1"]
    assert len(lines) == 5
    assert all("can't be" in line for line in lines[3:])


def _read_unprivileged(paths: DataPaths, warm: Path, left_open: bool) -> list[str]:
    catalog, activity = SQLiteCatalog.open(paths, create=True), Activity(paths)
    activity.put_trace("ab", "q", ["graph"], False, False, 1.0, "{}")
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
    if not left_open:
        catalog.close()
        activity.close()
    paths.root.chmod(0o555)
    try:
        return _run(READ, paths.root, warm)
    finally:
        paths.root.chmod(0o755)
        catalog.close()
        activity.close()


def test_a_full_disk_leaves_the_state_before(tmp_path: Path) -> None:
    lines = _run(LIMITED, tmp_path)
    assert "disk is full" in lines[0]
    assert lines[1] == "1 ['a.md']"
    catalog = SQLiteCatalog.open(DataPaths(tmp_path), create=True)
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("b.md", ["More."]))
    with catalog.snapshot() as snapshot:
        assert len(catalog.documents(snapshot)) == 2
    catalog.close()


def test_what_a_crash_left_of_a_creation_is_no_catalog(tmp_path: Path) -> None:
    paths = DataPaths(tmp_path)
    paths.catalog.with_name("catalog.sqlite.new").write_bytes(b"half")
    with pytest.raises(StoreError, match="Nothing is ingested"):
        SQLiteCatalog.open(paths, create=False)
    SQLiteCatalog.open(paths, create=True).close()
    assert not paths.catalog.with_name("catalog.sqlite.new").exists()
    before = file_identity(paths.catalog)
    create_catalog(paths.catalog)
    assert file_identity(paths.catalog) == before


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError):
        SQLiteCatalog.open(DataPaths(tmp_path / "file"), create=True)
