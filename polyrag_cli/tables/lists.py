"""Owns cells that list several values: by which separators a column's cells are cut into members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from polyrag_cli.languages import UNDETERMINED, language

_SIGNS = (";", ",", "|", "/", "&", "\n")
READ = 20_000
"""So many of a column's different texts are looked at."""
_SHARE = 0.5


@cache
def separators() -> tuple[str, ...]:
    """What may stand between the members of a list: signs, and the word for "and" of every language."""
    return (*_SIGNS, *(f" {word} " for word in sorted(language(UNDETERMINED).tables.grammar.joints)))


def list_separators(values: Sequence[str]) -> tuple[str, ...]:
    """Return the separators by which a column's different texts list members, in the order of `separators`.

    A separator is one where the members that it gives stand alone in other cells, or in another place of other lists:
    at least two different ones, and half of all.

    Args:
        values: different texts, in any order.
    """
    read = values[:READ]
    present = [s for s in separators() if any(s in value for value in read)]
    if not present:
        return ()
    alone = {value.casefold() for value in read}
    every = re.compile("|".join(map(re.escape, present)))
    return tuple(s for s in present if _separates(s, every, read, alone))


def _separates(separator: str, every: re.Pattern[str], values: Sequence[str], alone: set[str]) -> bool:
    """Tell whether what stands between a separator, and between others beside it, are members."""
    places: dict[str, set[int]] = {}
    lists: dict[str, int] = {}
    for value in values:
        if separator not in value:
            continue
        members = [part.strip().casefold() for part in every.split(value) if part.strip()]
        if len(members) < 2:
            continue
        for place, member in enumerate(members):
            places.setdefault(member, set()).add(place)
            lists[member] = lists.get(member, 0) + 1
    proved = [m for m in places if m in alone or (lists[m] > 1 and len(places[m]) > 1)]
    words = [m for m in proved if any(char.isalpha() for char in m)]
    return len(words) > 1 and sum(lists[m] for m in proved) >= _SHARE * sum(lists.values())
