"""Owns the compiled form of the language files: one file beside them, made anew when a file changes.

Each line holds one table of one language as JSON, which is parsed when it is first asked for. The wheel ships it. In a
checkout, or after a file was added, the first process that may write puts it in place as a whole; one that may not
compiles for itself. It holds the digest of what it was made from and of its own content, so a stale or damaged one is
never taken for good.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from polyrag_cli.errors import ConfigError
from polyrag_cli.languages.making import made
from polyrag_cli.languages.schema import Language
from polyrag_cli.languages.section import Section
from polyrag_cli.whole_file import replacing

FOLDER = Path(__file__).parent
COMPILED = "compiled.txt"


@cache
def sources_digest() -> str:
    """Digest of the languages: of their files and the code that reads them."""
    return _digest(sorted(FOLDER.glob("*.toml")))


def load(folder: Path = FOLDER) -> tuple[Language, ...]:
    """The languages of a folder, sorted by code.

    Raises ConfigError when a file of the folder isn't a language file, or there is none.
    """
    try:
        files = sorted(folder.glob("*.toml"))
        digest = sources_digest() if folder == FOLDER else _digest(files)
        kept = (folder / COMPILED).read_bytes()
    except OSError:
        kept = b""
    if kept:
        # Whatever a damaged file holds, the language files say it again.
        with suppress(ValueError):
            return _unpacked(kept, digest)
    content = compile_folder(folder)
    with suppress(OSError), replacing(folder / COMPILED, durable=False) as temporary:
        temporary.write_bytes(content)
    return _unpacked(content, content[:64].decode())


def compile_folder(folder: Path = FOLDER) -> bytes:
    """The compiled form of a folder's language files: the digest of its sources, that of the rest, then the tables."""
    # Only who compiles needs a reader of TOML.
    from polyrag_cli.languages.reading import read_language

    files = sorted(folder.glob("*.toml"))
    if not files:
        raise ConfigError(f"{folder} holds no language file.")
    lines = [
        f"{file.stem}\t{table}\t{json.dumps(content, ensure_ascii=False, separators=(',', ':'))}"
        for file in files
        for table, content in read_language(file).items()
    ]
    body = "\n".join(lines).encode()
    return b"\n".join((_digest(files).encode(), hashlib.sha256(body).hexdigest().encode(), body))


def _unpacked(content: bytes, digest: str) -> tuple[Language, ...]:
    sources, own, body = content.split(b"\n", 2)
    if sources != digest.encode() or own != hashlib.sha256(body).hexdigest().encode():
        raise ValueError("made from other files, or damaged")
    tables: dict[str, dict[str, str]] = {}
    for line in body.decode().split("\n"):
        code, table, packed = line.split("\t", 2)
        tables.setdefault(code, {})[table] = packed
    return tuple(Language(code, partial(_table, packed)) for code, packed in tables.items())


def _table(packed: Mapping[str, str], table: str) -> Section:
    return made(json.loads(packed[table]), table)


def _digest(files: Sequence[Path]) -> str:
    """Digest of all that the compiled form depends on: the language files, and the code that reads them."""
    found = hashlib.sha256()
    code = (
        *sorted(FOLDER.glob("*.py")),
        *sorted((FOLDER / "sections").glob("*.py")),
        FOLDER.parent / "text" / "fold.py",
    )
    for file in (*files, *code):
        content = file.read_bytes()
        found.update(f"{file.name} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()
