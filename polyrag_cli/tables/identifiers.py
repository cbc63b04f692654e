"""Owns SQL identifiers made from headers and names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyrag_cli.text.fold import fold

MAX_LENGTH = 63
# A currency sign says nothing that the column's unit doesn't say.
_CURRENCY = re.compile(r"\b(?:R|US?)\$|[$€£¥]")


def identifier(text: str, fallback: str) -> str:
    """Return `text` as an identifier of [a-z0-9_] that starts with a letter, at most 63 characters.

    A leading digit is prefixed with `n_`. Reserved words stay as they are: SQL quotes them.

    Args:
        text: a header or a name in any script.
        fallback: the result when no letter or digit of Latin script is left.
    """
    slug = re.sub(r"[^a-z0-9]+", "_", fold(_CURRENCY.sub(" ", text))).strip("_")[:MAX_LENGTH].strip("_")
    if not slug:
        return fallback
    return f"n_{slug}"[:MAX_LENGTH] if slug[0].isdigit() else slug


def unique_identifiers(texts: Sequence[str], stem: str) -> tuple[str, ...]:
    """Return one identifier for each text; repeated ones get `_2`, `_3` …, empty ones `<stem>_<position>`."""
    taken: set[str] = set()
    names: list[str] = []
    for position, text in enumerate(texts, start=1):
        base = identifier(text, f"{stem}_{position}")
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base[: MAX_LENGTH - 1 - len(str(count))]}_{count}"
        taken.add(name)
        names.append(name)
    return tuple(names)
