from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.faults import store_error, store_errors


def _sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("words of SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "x"), "disk is full"),
        (OSError(errno.EFBIG, "x"), "disk is full"),
        (OSError(errno.EACCES, "x"), "permission denied"),
        (OSError(errno.EROFS, "x"), "read-only"),
        (OSError(errno.ENOTDIR, "x"), "is a file"),
        (OSError(errno.EEXIST, "x"), "is a file"),
        (UnicodeDecodeError("utf-8", b"\xd0", 0, 1, "x"), "damaged"),
        (OSError(errno.EIO, "input/output"), "input/output"),
        (_sqlite(sqlite3.SQLITE_FULL), "disk is full"),
        (_sqlite(sqlite3.SQLITE_IOERR_WRITE), "disk is full"),
        (_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY), "read-only"),
        (_sqlite(sqlite3.SQLITE_CANTOPEN), "can't be opened"),
        (_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), "busy"),
        (_sqlite(sqlite3.SQLITE_NOTADB), "damaged"),
        (_sqlite(sqlite3.SQLITE_ERROR), "words of SQLite"),
        (RuntimeError("IO Error: could not write: No space left on device"), "disk is full"),
        (RuntimeError("IO Error: Permission denied"), "permission denied"),
    ],
)
def test_each_failure_has_its_line(error: Exception, words: str) -> None:
    found = store_error(error, Path("/d/catalog.sqlite"))
    assert words in found.message
    assert "/d/catalog.sqlite" in found.message
    assert "\n" not in str(found)


def test_only_disk_and_database_failures_are_translated() -> None:
    with pytest.raises(StoreError), store_errors(Path("x")):
        raise sqlite3.IntegrityError("clash")
    for defect in (sqlite3.ProgrammingError("wrong call"), KeyError("k")):
        with pytest.raises(type(defect)), store_errors(Path("x")):
            raise defect
