"""Owns which words of their files' paths tell tables apart that are called alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from polyrag_cli.text.fold import fold

Key = tuple[str, int]
_WORD = re.compile(r"[^\W_]+")


def path_words(tables: Sequence[tuple[str, int, str]]) -> dict[Key, tuple[str, ...]]:
    """For each table (document, ordinal, wanted name) the folded words of its file's path that its name doesn't hold,
    outermost folder first; none that is in the name of another table of the file ("boats" of "boats_and_outings" says
    nothing of its sheet "outings"); of tables with equal names only those that not all of them have.

    It depends on which tables there are, on no order.
    """
    groups: dict[str, list[Key]] = defaultdict(list)
    named: dict[str, set[str]] = defaultdict(set)
    for document, _, name in tables:
        named[document].update(_words(name))
    found: dict[Key, tuple[str, ...]] = {}
    for document, ordinal, name in tables:
        groups[name.casefold()].append((document, ordinal))
        found[document, ordinal] = tuple(w for w in dict.fromkeys(_path(document)) if w not in named[document])
    for keys in groups.values():
        if len({document for document, _ in keys}) > 1:
            shared = set.intersection(*(set(found[key]) for key in keys))
            for key in keys:
                found[key] = tuple(word for word in found[key] if word not in shared)
    return found


def _path(document: str) -> list[str]:
    """The words of a document's name without its last ending."""
    return _words(re.sub(r"\.[^./]*$", "", document))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))
