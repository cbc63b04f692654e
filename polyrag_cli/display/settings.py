"""Settings in words: values as TOML writes them, and where each comes from."""

from __future__ import annotations

from typing import Any

from polyrag_cli.display.text import counted

MARK = "*"
"""Stands before a setting that differs from the default."""
LEGEND = f"{MARK} differs from the default"


def value_text(key: str, value: Any) -> str:
    """A value on one line: a switch as true or false, a route's sentences by their number.

    key: dotted.
    """
    if isinstance(value, list):
        if ".anchors." in key:
            return counted(len(value), "sentence")
        return "[" + ", ".join(f'"{part}"' for part in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value != "" else '""'


def origin_text(origin: str, file: str | None) -> str:
    """Where a value comes from: by its name alone, where it is the file that is named in full elsewhere."""
    kind, _, place = origin.partition(": ")
    return kind if file is not None and place == file else origin


def mark(differs: bool) -> str:
    """What stands before a setting, one character wide."""
    return MARK if differs else " "
