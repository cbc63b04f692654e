"""Owns the compiled form of the language files: one JSON file beside them, made anew when a file changes.

The wheel ships it. In a checkout, or after a file was added, the first process that may write puts it in place as a
whole; one that may not compiles for itself. It holds the digest of what it was made from and of its own content, so a
stale or damaged one is never taken for good.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from polyrag_cli.errors import ConfigError
from polyrag_cli.languages.making import made, sections
from polyrag_cli.languages.schema import Language
from polyrag_cli.whole_file import replacing

FOLDER = Path(__file__).parent
COMPILED = "compiled.json"


def load(folder: Path = FOLDER) -> tuple[Language, ...]:
    """The languages of a folder, sorted by code.

    Raises ConfigError when a file of the folder isn't a language file, or there is none.
    """
    try:
        files = sorted(folder.glob("*.toml"))
        digest = _digest(folder, files)
        kept = (folder / COMPILED).read_bytes()
    except OSError:
        kept = b""
    if kept:
        # Whatever a damaged file holds, the language files say it again.
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            return _unpacked(kept, digest)
    content = compile_folder(folder)
    with suppress(OSError), replacing(folder / COMPILED, durable=False) as temporary:
        temporary.write_bytes(content)
    return _unpacked(content, content[:64].decode())


def compile_folder(folder: Path = FOLDER) -> bytes:
    """The compiled form of a folder's language files: the digest of its sources, that of the rest, a line of JSON."""
    # Only who compiles needs a reader of TOML.
    from polyrag_cli.languages.reading import read_language

    files = sorted(folder.glob("*.toml"))
    if not files:
        raise ConfigError(f"{folder} holds no language file.")
    body = json.dumps([read_language(file) for file in files], ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join((_digest(folder, files).encode(), hashlib.sha256(body).hexdigest().encode(), body))


def _unpacked(content: bytes, digest: str) -> tuple[Language, ...]:
    sources, own, body = content.split(b"\n", 2)
    if sources.decode() != digest or own.decode() != hashlib.sha256(body).hexdigest():
        raise ValueError("made from other files, or damaged")
    return tuple(made(plain) for plain in json.loads(body))


def _digest(folder: Path, files: Sequence[Path]) -> str:
    """Digest of all that the compiled form depends on: the language files, the schema, the code that reads them."""
    found = hashlib.sha256(
        repr([(name, section.__annotations__) for name, section in sections(Language).items()]).encode()
    )
    for file in (*files, FOLDER / "kinds.py", FOLDER / "reading.py", FOLDER.parent / "text" / "fold.py"):
        content = file.read_bytes()
        found.update(f"{file.name} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()
