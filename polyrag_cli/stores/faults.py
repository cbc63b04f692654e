"""Owns how failures of the disk, SQLite and the file system become store errors."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polyrag_cli.errors import StoreError, reason

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})
_NO_FOLDER = frozenset({errno.ENOTDIR, errno.EEXIST})
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

ACTIVITY_NAME = "activity.sqlite"


class StaleSnapshot(StoreError):
    """A file that this snapshot refers to was swept: read again on a fresh snapshot."""


class DamagedKeptWords(StaleSnapshot):
    """What is kept of tables for questions is damaged: read again, it is worked out from the tables themselves."""


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Raises failures of SQLite and the file system inside the block as StoreError about `path`."""
    try:
        yield
    except sqlite3.ProgrammingError:
        # A wrong call is a defect of the program, not of the disk.
        raise
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        raise store_error(error, path) from error


def store_error(error: Exception, path: Path) -> StoreError:
    """The one line for a failure to read or write `path`; a backend's own exceptions are told apart by their text."""
    kind = _kind(error)
    if kind == "full":
        return StoreError(
            f"{path} can't be written: the disk is full or a size limit is reached.", "Free some space and try again."
        )
    if kind == "denied":
        return StoreError(
            f"{path} can't be used: permission denied or read-only.", "Use --data DIR with a folder that you own."
        )
    if kind == "unreadable":
        return StoreError(f"{path} can't be opened.", "Check that the folder exists and may be read.")
    if kind == "busy":
        return StoreError(f"{path} is busy: another process is writing to it.", "Try again in a moment.")
    if kind == "damaged":
        remedy = "Move it away and run `polyrag ingest` again."
        if path.name == ACTIVITY_NAME:
            remedy = "Run `polyrag doctor --fix`: only traces and cached answers are lost."
        return StoreError(f"{path} is damaged: {error}.", remedy)
    if kind == "no folder":
        return StoreError(f"{path} can't be used: {path.parent} is a file.", "Use --data DIR with a folder.")
    return StoreError(f"{path} can't be read or written: {reason(error)}.")


def _kind(error: Exception) -> str:
    if isinstance(error, sqlite3.Error):
        return _sqlite_kind(error)
    if isinstance(error, OSError):
        if error.errno in _FULL:
            return "full"
        if error.errno in _NO_FOLDER:
            return "no folder"
        return "denied" if error.errno in _DENIED else "other"
    if isinstance(error, UnicodeDecodeError):
        # SQLite quotes what it can't read in its message, which is no text then.
        return "damaged"
    text = str(error).lower()
    if any(words in text for words in ("no space left", "file too large", "disk full")):
        return "full"
    if any(words in text for words in ("permission denied", "read-only")):
        return "denied"
    return "other"


def _sqlite_kind(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None) or 0
    kinds = {
        sqlite3.SQLITE_FULL: "full",
        sqlite3.SQLITE_READONLY: "denied",
        sqlite3.SQLITE_PERM: "denied",
        sqlite3.SQLITE_CANTOPEN: "unreadable",
        sqlite3.SQLITE_BUSY: "busy",
        sqlite3.SQLITE_LOCKED: "busy",
        sqlite3.SQLITE_CORRUPT: "damaged",
        sqlite3.SQLITE_NOTADB: "damaged",
    }
    # A write past a size limit or a full disk surfaces as an I/O error of one of these kinds.
    if code in (
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    ):
        return "full"
    return kinds.get(code & 0xFF, "other")
