"""Changes single numbers of a polyrag.toml in place: comments, order and layout of all other lines stay.

Owns the text alone, and refuses what it can't change so.
"""

from __future__ import annotations

import difflib
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.config import Settings
from polyrag_cli.errors import ConfigError, StoreError, reason
from polyrag_cli.whole_file import write_whole

_HEADER = re.compile(r"^[ \t]*\[(?!\[)([^\[\]]+)\][ \t]*(?:#.*)?$")
_NUMBER = re.compile(r"^([ \t]*)([\w.\-]+)([ \t]*=[ \t]*)([-+\w.]+)([ \t]*(?:#.*)?)(\r?\n?)$")


def edited(text: str, changes: Mapping[str, float]) -> str:
    """The configuration text with some numbers changed; a key that it lacks is added to its table, or with one.

    changes: dotted key → new value.

    Raises StoreError for a text whose layout (an inline table, say) doesn't allow that.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = [line for line in re.split(r"(?<=\n)", text.removeprefix(mark)) if line]
    for key, value in changes.items():
        _change(lines, key, value)
    made = mark + "".join(lines)
    wanted = tomllib.loads(text.removeprefix("\ufeff"))
    for key, value in changes.items():
        _put(wanted, key, value)
    try:
        same = tomllib.loads(made.removeprefix("\ufeff")) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        numbers = ", ".join(f"{key} = {value!r}" for key, value in changes.items())
        raise StoreError("the file's layout can't be changed line by line.", f"Write it by hand: {numbers}.")
    return made


def _change(lines: list[str], key: str, value: float) -> None:
    """Changes one key's line, or puts one in."""
    table, _, name = key.rpartition(".")
    inside, header = "", None
    for index, line in enumerate(lines):
        opened = _HEADER.match(line.rstrip("\r\n"))
        if opened:
            inside = _plain(opened[1])
            header = index if inside == table else header
            continue
        found = _NUMBER.match(line)
        if found and (f"{inside}." if inside else "") + found[2] == key:
            lines[index] = f"{found[1]}{found[2]}{found[3]}{value!r}{found[5]}{found[6]}"
            return
    newline = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    if header is not None:
        lines.insert(header + 1, f"{name} = {value!r}{newline}")
    else:
        lines += [newline, f"[{table}]{newline}", f"{name} = {value!r}{newline}"]


def _plain(header: str) -> str:
    """A table's dotted name without white space and quotes."""
    return ".".join(part.strip().strip("\"'") for part in header.split("."))


def _put(tree: dict[str, Any], key: str, value: float) -> None:
    *path, name = key.split(".")
    for part in path:
        below = tree.setdefault(part, {})
        if not isinstance(below, dict):
            return
        tree = below
    tree[name] = value


def diff(before: str, after: str, name: str) -> list[str]:
    """The unified diff of two texts of one file, without line ends."""
    return list(
        difflib.unified_diff(before.splitlines(), after.splitlines(), name, f"{name} (proposed)", n=1, lineterm="")
    )


def replace_file(file: Path, text: str, data: Path) -> None:
    """Puts a configuration in a file's place at once, after it was seen to load; data: the data directory.

    Raises ConfigError when it doesn't load, StoreError when it can't be written; the file is then as it was.
    """
    with tempfile.TemporaryDirectory(prefix="polyrag-") as folder:
        trial = Path(folder) / file.name
        write_whole(trial, text)
        Settings.load(config=trial, data_dir=data)
    write_whole(file, text)


def read_text(file: Path) -> str:
    """A file's text with its line ends as they are.

    Raises ConfigError when it can't be read.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: can't be read: {reason(error)}.") from error
