"""Paths on the command line to files with an identity: source root, relative path, public name."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from polyrag_cli.errors import UsageError, reason
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import FileReport


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to ingest: identity (`root`, `path`), public name, and where it is read."""

    root: str
    path: str
    document: str
    location: Path


@dataclass(frozen=True, slots=True)
class Sources:
    """What paths expand to: files by document name, what was left out and why, known files that vanished."""

    files: tuple[SourceFile, ...]
    rejected: tuple[FileReport, ...]
    vanished: tuple[SourceRecord, ...]


@dataclass(frozen=True, slots=True, order=True)
class _Refusal:
    """Why a location is left out: `failed` when it should have been read and couldn't be."""

    failed: bool
    reason: str


@dataclass(slots=True)
class _Walk:
    """What one walk finds, by absolute location."""

    files: list[Path] = field(default_factory=list)
    rejected: list[tuple[Path, _Refusal]] = field(default_factory=list)


def expand(
    paths: Sequence[str | Path], known: Sequence[SourceRecord], suffixes: Collection[str], exclude: Path | None = None
) -> Sources:
    """The files that paths name, folders walked to the bottom, in the order of their document names.

    known: what the catalog holds. suffixes: those that a loader exists for. exclude: the data directory.
    Raises UsageError for a path that doesn't exist.
    """
    given = sorted({_existing(path) for path in paths}, key=_sort_key)
    roots = _roots(given, {Path(record.root) for record in known if Path(record.root).is_absolute()})
    walk = _Walk()
    excluded = exclude.resolve() if exclude is not None else None
    for path in given:
        if path.is_dir():
            _walk_folder(path, walk, suffixes, excluded)
        else:
            _judge_file(path, None, walk, suffixes)
    files = _named(sorted(set(walk.files), key=_sort_key), roots, known)
    found = {(file.root, file.path) for file in files}
    rejected: dict[Path, FileReport] = {}
    for location, refusal in sorted(walk.rejected, key=lambda item: (_sort_key(item[0]), item[1])):
        name = _relative(location, _root_of(location, roots)) or _printable(location.name)
        rejected[location] = FileReport(name, "failed" if refusal.failed else "skipped", refusal.reason)
    folders = [path for path in given if path.is_dir()]
    unread = [location for location, refusal in walk.rejected if refusal.failed]
    absent = (record for record in known if (record.root, record.path) not in found)
    vanished = [record for record in absent if _gone(record, folders, unread)]
    return Sources(files, tuple(rejected.values()), tuple(sorted(vanished, key=lambda record: record.document)))


def public_name(root: str, path: str, taken: Collection[str]) -> str:
    """A free document name: the path, else `<root name>/<path>`, else that with ~2, ~3 …"""
    qualified = f"{Path(root).name or 'root'}/{path}"
    for name in (path, qualified):
        if name not in taken:
            return name
    number = 2
    while f"{qualified}~{number}" in taken:
        number += 1
    return f"{qualified}~{number}"


def _existing(path: str | Path) -> Path:
    """The absolute path, its folder resolved; a name that is stored in another Unicode form is found too.

    Raises UsageError when there is nothing.
    """
    text = os.fspath(path)
    if not text:
        raise UsageError("an empty path.", "Name a file or a folder; . is the current one.")
    for candidate in (text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)):
        found = Path(candidate)
        try:
            if found.is_dir():
                return found.resolve()
            if found.is_symlink() or found.exists():
                return found.parent.resolve() / found.name
        except (OSError, RuntimeError, ValueError):
            continue
    raise UsageError(f"{_printable(text)}: no such file or folder.")


def _roots(given: Sequence[Path], known: Collection[Path]) -> list[Path]:
    """Known roots, and of the new ones those that lie under no other."""
    fresh = {path if path.is_dir() else path.parent for path in given}
    roots = set(known)
    for root in sorted(fresh, key=lambda path: (len(path.parts), path)):
        if not any(root.is_relative_to(other) for other in roots):
            roots.add(root)
    return sorted(roots, key=lambda path: (-len(path.parts), path))


def _root_of(location: Path, roots: Sequence[Path]) -> Path:
    """The innermost root that holds a location; `roots` come longest first."""
    return next((root for root in roots if location.is_relative_to(root)), location.parent)


def _relative(location: Path, root: Path) -> str:
    return _printable(unicodedata.normalize("NFC", location.relative_to(root).as_posix())) if location != root else ""


def _printable(text: str) -> str:
    """Text whose undecodable bytes are replaced, so that it can be stored and shown."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _sort_key(location: Path) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", part) for part in location.parts) + location.parts


def _named(locations: Sequence[Path], roots: Sequence[Path], known: Sequence[SourceRecord]) -> tuple[SourceFile, ...]:
    names = {(record.root, record.path): record.document for record in known}
    taken = set(names.values())
    files: dict[tuple[str, str], SourceFile] = {}
    for location in locations:
        root = _root_of(location, roots)
        path = _relative(location, root)
        if (str(root), path) in files:
            # Two names on disk that differ only in their Unicode form or in undecodable bytes.
            path = _variant(path, {other for folder, other in files if folder == str(root)})
        identity = (str(root), path)
        document = names.get(identity) or public_name(*identity, taken)
        taken.add(document)
        files[identity] = SourceFile(*identity, document, location)
    return tuple(sorted(files.values(), key=lambda file: file.document))


def _variant(path: str, taken: Collection[str]) -> str:
    number = 2
    while f"{path}~{number}" in taken:
        number += 1
    return f"{path}~{number}"


def _gone(record: SourceRecord, folders: Sequence[Path], unread: Sequence[Path]) -> bool:
    """Whether a known file lies under a folder that was walked in full there, yet wasn't met."""
    if not Path(record.root).is_absolute():
        return False
    location = Path(record.root) / record.path
    return any(map(location.is_relative_to, folders)) and not any(map(location.is_relative_to, unread))


# ---------------------------------------------------------------- walking
def _walk_folder(top: Path, walk: _Walk, suffixes: Collection[str], excluded: Path | None) -> None:
    visited: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in visited:
                continue
            visited.add((status.st_dev, status.st_ino))
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            walk.rejected.append((folder, _Refusal(True, f"can't be read ({reason(error)})")))
            continue
        for entry in entries:
            location = folder / entry.name
            if excluded is not None and entry.name == excluded.name and location.resolve() == excluded:
                continue
            if entry.name.startswith("."):
                walk.rejected.append((location, _Refusal(False, "hidden")))
            elif not _is_folder(location):
                _judge_file(location, top, walk, suffixes)
            elif not (entry.is_symlink() and _leads_back(location, top)):
                waiting.append(location)


def _is_folder(location: Path) -> bool:
    try:
        return location.is_dir()
    except OSError:
        return False


def _leads_back(link: Path, top: Path) -> bool:
    """Whether a link leads into the folder being walked, which holds its target anyway, or to one above it."""
    target = link.resolve()
    return target.is_relative_to(top) or top.is_relative_to(target)


def _judge_file(location: Path, top: Path | None, walk: _Walk, suffixes: Collection[str]) -> None:
    """Takes a file, or says why not; `top` is the folder being walked, None for a file that was named itself."""
    refusal = _refusal(location, top, suffixes)
    if refusal is None:
        walk.files.append(location)
    else:
        walk.rejected.append((location, refusal))


def _refusal(location: Path, top: Path | None, suffixes: Collection[str]) -> _Refusal | None:
    try:
        mode = location.stat().st_mode
        target = location.resolve() if location.is_symlink() else None
    except (OSError, RuntimeError) as error:
        if location.is_symlink():
            return _Refusal(False, "a link to nothing, or to itself")
        return _Refusal(True, f"can't be read ({reason(error)})")
    if not stat.S_ISREG(mode):
        return _Refusal(False, "no regular file")
    if location.name.startswith("~$"):
        return _Refusal(False, "a lock file of an office program")
    suffix = location.suffix.lower()
    if suffix not in suffixes:
        return _Refusal(False, f"no loader for {_printable(suffix)}" if suffix else "no suffix, so no loader")
    if target is not None and top is not None and target.is_relative_to(top):
        return _Refusal(False, f"a link to {_printable(target.relative_to(top).as_posix())}")
    return None
