"""Owns how long texts stand in rows of the catalog: as UTF-8 packed by zlib, whose checksum tells damage."""

from __future__ import annotations

import sqlite3
import zlib

from polyrag_cli.errors import StoreError

# What zlib looks back at, at most.
_REACH = 32_768


def packed(text: str, like: str = "") -> bytes:
    """A text that is valid Unicode, packed. like: another text, known when it is read, that says much of the same."""
    packing = zlib.compressobj(zdict=_tail(like)) if like else zlib.compressobj()
    return packing.compress(text.encode()) + packing.flush()


def unpacked(content: bytes, like: str = "") -> str:
    """The text of `packed`; like: as given there.

    Raises StoreError when the bytes aren't as they were written.
    """
    unpacking = zlib.decompressobj(zdict=_tail(like)) if like else zlib.decompressobj()
    try:
        text = unpacking.decompress(content).decode()
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise damaged_row(error) from error
    if not unpacking.eof:
        raise damaged_row("it is cut short")
    return text


def damaged_row(why: object) -> StoreError:
    """What is said of a row that isn't as it was written."""
    return StoreError(f"The catalog holds a damaged row ({why}).", "Remove its file and ingest it again.")


def _tail(like: str) -> bytes:
    return like.encode()[-_REACH:]


def add_unpacked(connection: sqlite3.Connection) -> None:
    """Lets a connection's statements call `unpacked(column)`: two builds of zlib may pack one text differently."""
    connection.create_function("unpacked", 1, unpacked, deterministic=True)
