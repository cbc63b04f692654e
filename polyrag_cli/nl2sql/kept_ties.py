"""Owns the form in which it is kept between processes how tables hang together, read table by table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from polyrag_cli.nl2sql.kept_entry import version as entry_version
from polyrag_cli.nl2sql.ties import GroupTies, Hop, MemoryTies, Paths, TableTies, Ties
from polyrag_cli.stores.faults import StaleSnapshot

_CODE = ("kept_ties", "notions", "ties", "tying")
_GROUPS = "groups"
Part = Callable[[str], str | None]
"""Gives a part by its name; None where it isn't kept."""


@cache
def version() -> str:
    """Return the digest of the code, beside that of relations, that ties are made by."""
    found = hashlib.sha256(entry_version().encode())
    for name in _CODE:
        found.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return found.hexdigest()[:16]


def packed(ties: MemoryTies) -> dict[str, str]:
    """Return ties as JSON, part by part."""
    parts = {_GROUPS: _json(ties.groups)}
    for number, names in enumerate(ties.groups):
        group = ties.group(names)
        roles = [[phrase, sorted(stems), of] for phrase, stems, of in group.roles]
        named = [list(group.named), list(group.named.values())]
        parts[f"group {number}"] = _json([named, roles, group.people, group.dated, group.placed])
        parts |= {f"table {name}": _json(_table(ties.table(name))) for name in names}
    return parts


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _table(table: TableTies) -> list[Any]:
    hops = [[h.column, h.other, h.other_column, h.up, h.single, h.agreeing, sorted(h.role)] for h in table.hops]
    return [table.name, table.repeated, list(map(sorted, table.nouns)), table.extends, hops]


class CommitTies:
    """The ties of one commit, with those that questions have read so far; safe between threads.

    What two of these read at once is read twice, and the same.
    """

    def __init__(self, groups: str) -> None:
        """groups: the part of that name, as `packed` gave it."""
        # Another process may keep them anew, by other code.
        self.gone = False
        self.groups: tuple[tuple[str, ...], ...] = tuple(map(tuple, json.loads(groups)))
        self.paths: Paths = {}
        self.of_groups: dict[tuple[str, ...], GroupTies] = {}
        self.of_tables: dict[str, TableTies] = {}

    @classmethod
    def of(cls, part: Part) -> CommitTies | None:
        """The ties that are kept; None where none are."""
        groups = part(_GROUPS)
        return cls(groups) if groups is not None else None


class KeptTies(Ties):
    """The ties of one commit, for as long as a snapshot of it is open."""

    def __init__(self, commit: CommitTies, part: Part) -> None:
        """part: reads through the snapshot."""
        self._commit = commit
        self._part = part

    @property
    def groups(self) -> Sequence[tuple[str, ...]]:
        return self._commit.groups

    @property
    def paths(self) -> Paths:
        return self._commit.paths

    def group(self, names: tuple[str, ...]) -> GroupTies:
        known = self._commit.of_groups
        if names not in known:
            known[names] = _group(json.loads(self._read(f"group {self._commit.groups.index(names)}")))
        return known[names]

    def table(self, name: str) -> TableTies:
        known = self._commit.of_tables
        if name not in known:
            known[name] = _unpacked(name, json.loads(self._read(f"table {name}")))
        return known[name]

    def _read(self, name: str) -> str:
        content = self._part(name)
        if content is None:
            self._commit.gone = True
            raise StaleSnapshot("What was kept of how tables hang together is gone.")
        return content


def _group(content: Sequence[Any]) -> GroupTies:
    (names, has_name), roles, people, dated, placed = content
    named: Mapping[str, bool] = dict(zip(names, has_name, strict=True))
    unpacked = tuple((phrase, frozenset(stems), (table, column)) for phrase, stems, (table, column) in roles)
    return GroupTies(named, unpacked, tuple(people), _pairs(dated), _pairs(placed))


def _unpacked(table: str, content: Sequence[Any]) -> TableTies:
    name, repeated, nouns, extends, hops = content
    steps = tuple(
        Hop(table, column, other, key, up, single, _pairs(agreeing), frozenset(role))
        for column, other, key, up, single, agreeing, role in hops
    )
    return TableTies(name, repeated, tuple(map(frozenset, nouns)), extends, steps)


def _pairs(found: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in found)
