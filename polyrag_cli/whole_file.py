"""Files put in place as a whole: readers, and whoever interrupts the writing, see the old content or the new."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from polyrag_cli.errors import StoreError, reason

# A terminal, a pipe or the null device is written to; a file put in its place would take it from everybody.
_NEVER_REPLACED = ("/dev/", "/proc/")
# Of a name that a temporary one takes over: with four bytes a character it stays below a file system's 255.
_NAME_CHARS = 40
# What `replacing` names its files. One as old as this is nobody's any more.
_TEMPORARY = re.compile(r"\.(?P<name>.+)-[0-9a-f]{8}\.tmp")
_LEFT_S = 600.0


@contextmanager
def replacing(target: Path, durable: bool = True) -> Iterator[Path]:
    """A path beside `target` to write to: the file takes the target's place when the block ends, is gone when it fails.

    The file has the rights that any new file gets. durable: its bytes are on the disk before it has the name, so that a
    power cut can't leave an empty or torn file; False for what is written anew all the time or costs nothing to lose.
    A process killed inside the block leaves a hidden `.tmp` file, which no reader takes for content: see `drop_left`.

    Raises OSError.
    """
    temporary = target.with_name(f".{target.name[:_NAME_CHARS]}-{os.urandom(4).hex()}.tmp")
    try:
        yield temporary
        if durable:
            with temporary.open("rb") as written:
                os.fsync(written.fileno())
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def drop_left(folder: Path, name: str = "") -> None:
    """Deletes what processes that were killed inside `replacing` left in a folder ten minutes ago or earlier, as far as
    that can be done. name: of the file that was to be replaced; all of them without one."""
    oldest = time.time() - _LEFT_S
    with suppress(OSError):
        for path in folder.iterdir():
            left = _TEMPORARY.fullmatch(path.name)
            if left is not None and (not name or left["name"] == name[:_NAME_CHARS]):
                with suppress(OSError):
                    if path.stat().st_mtime < oldest:
                        path.unlink()


def write_whole(file: Path, text: str, durable: bool = True) -> None:
    """Writes a text, UTF-8 with its line ends as they are, in place of what the file held.

    A symbolic link stays one and its target changes; an existing file keeps its owner, group and permissions; a device
    or a pipe is written to. Of hard links the one that is named gets the new content.
    A lone surrogate, as in the name of a file that isn't UTF-8, is written as its escape. durable: as for `replacing`.

    Raises StoreError when the file can't be written; it is then as it was.
    """
    content = text.encode("utf-8", "backslashreplace")
    try:
        if str(file.absolute()).startswith(_NEVER_REPLACED) or (file.exists() and not file.is_file()):
            with file.open("wb") as out:
                out.write(content)
        else:
            _replace(file.resolve(), content, durable)
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"{file}: can't be written: {reason(error)}.") from error


def _replace(target: Path, content: bytes, durable: bool) -> None:
    existing = target.exists()
    if existing and not os.access(target, os.W_OK):
        raise PermissionError(13, "it is write-protected")
    if existing and not os.access(target.parent, os.W_OK):
        target.write_bytes(content)
        return
    try:
        with replacing(target, durable) as temporary:
            if existing:
                # First the rights, then the bytes: what only some may read is never there for all.
                _take_after(target, temporary)
            temporary.write_bytes(content)
    except _OthersFileError:
        target.write_bytes(content)
    drop_left(target.parent, target.name)


class _OthersFileError(PermissionError):
    """A new file can't be given to the old one's owner or group."""


def _take_after(target: Path, temporary: Path) -> None:
    """Makes an empty file of the target's owner, group and permissions."""
    temporary.touch(0o600)
    wanted, given = target.stat(), temporary.stat()
    if (wanted.st_uid, wanted.st_gid) != (given.st_uid, given.st_gid):
        try:
            os.chown(temporary, wanted.st_uid, wanted.st_gid)
        except PermissionError as error:
            raise _OthersFileError from error
    temporary.chmod(wanted.st_mode & 0o777)
