"""Owns what is said of how a file of delimited text was read."""

from __future__ import annotations

from collections.abc import Mapping

from polyrag_cli.loaders.quoting import Dialect

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space"}


def said_of(dialect: Dialect, encoding: str, lengths: Mapping[int, int], declared: bool) -> str:
    """The dialect in words, with the reason for it: "semicolon, utf-8: 40 of 41 rows have 5 cells".

    lengths: how many rows have so many cells. declared: whether the file's first line names its delimiter.
    """
    parts = [_NAMES.get(dialect.delimiter, f"“{dialect.delimiter}”")]
    if dialect.quote not in ("", '"'):
        parts.append(f"quote {dialect.quote}")
    if dialect.escape:
        parts.append(f"escape {dialect.escape}")
    parts.append(encoding)
    return f"{', '.join(parts)}: {'as its first line says' if declared else _regularity(lengths)}"


def _regularity(lengths: Mapping[int, int]) -> str:
    counts = {length: count for length, count in lengths.items() if length}
    width = max(counts, key=lambda cells: (counts[cells], cells))
    total = sum(counts.values())
    whole = "the only row has" if total == 1 else f"{counts[width]:,} of {total:,} rows have"
    return f"{whole} {width} {'cell' if width == 1 else 'cells'}"
