"""Changes single numbers of a polyrag.toml in place: comments, order and layout of all else stay."""

from __future__ import annotations

import difflib
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyrag_cli.config import Settings
from polyrag_cli.errors import ConfigError, StoreError, reason
from polyrag_cli.whole_file import write_whole

if TYPE_CHECKING:
    from tomlkit.items import InlineTable, Table

_BYTE_ORDER_MARK = "\ufeff"


def edited(text: str, changes: Mapping[str, float]) -> str:
    """The configuration text with some numbers changed; a key that it lacks is added to its table, or with one.

    changes: dotted key → new value.

    Raises StoreError for a text that can't be changed so.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    body = text.removeprefix(_BYTE_ORDER_MARK)
    # What is added ends its lines as the others do.
    crlf = "\r\n" in body and body.count("\r\n") == body.count("\n")
    try:
        document = tomlkit.parse(body.replace("\r\n", "\n") if crlf else body)
        for key, value in changes.items():
            _put(document, key, value)
        made = document.as_string()
        wanted = tomllib.loads(body)
        for key, value in changes.items():
            _put(wanted, key, value)
        if tomllib.loads(made) != wanted:
            raise ValueError("other values would change with them")
    except (TOMLKitError, ValueError, TypeError, AttributeError) as error:
        numbers = ", ".join(f"{key} = {value!r}" for key, value in changes.items())
        raise StoreError(f"the file can't be changed: {reason(error)}.", f"Write it by hand: {numbers}.") from error
    return text[: len(text) - len(body)] + (made.replace("\n", "\r\n") if crlf else made)


def _put(tree: Any, key: str, value: float) -> None:
    *path, name = key.split(".")
    for position, part in enumerate(path):
        if part not in tree:
            tree[part] = _table(tree, above=position < len(path) - 1)
        tree = tree[part]
    tree[name] = value


def _table(inside: Any, above: bool) -> Table | InlineTable:
    """A new table, an inline one inside another; above: it holds tables alone, and has no header of its own."""
    import tomlkit
    from tomlkit.items import InlineTable

    return tomlkit.inline_table() if isinstance(inside, InlineTable) else tomlkit.table(is_super_table=above)


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
