"""Text put into a file as a whole: readers, and whoever interrupts it, see the old content or the new.

Must never print or decide what is written.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from polyrag_cli.errors import StoreError

_MODE = 0o644
# A terminal, a pipe or the null device is written to; a file put in its place would take it from everybody.
_NEVER_REPLACED = ("/dev/", "/proc/")


def write_whole(file: Path, text: str) -> None:
    """Writes a text, UTF-8 with its line ends as they are, in place of what the file held.

    A link stays one and its target changes; an existing file keeps its permissions; a device or a pipe is written to.
    A lone surrogate, as in the name of a file that isn't UTF-8, is written as its escape.

    Raises StoreError when the file can't be written; it is then as it was.
    """
    content = text.encode("utf-8", "backslashreplace")
    try:
        if str(file.absolute()).startswith(_NEVER_REPLACED) or (file.exists() and not file.is_file()):
            with file.open("wb") as out:
                out.write(content)
        else:
            _replace(file.resolve(), content)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StoreError(f"{file}: can't be written: {reason}.") from error


def _replace(target: Path, content: bytes) -> None:
    existing = target.exists()
    if existing and not os.access(target, os.W_OK):
        raise PermissionError(13, "it is write-protected")
    if existing and not os.access(target.parent, os.W_OK):
        target.write_bytes(content)
        return
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}-")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
        # A temporary file is readable by its owner alone; a report is committed and read by others.
        temporary.chmod(target.stat().st_mode & 0o777 if existing else _MODE)
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
