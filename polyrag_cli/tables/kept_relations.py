"""Owns the relations between stored tables as they are kept from one process to the next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from functools import cache
from pathlib import Path

from polyrag_cli.languages.compiled import sources_digest
from polyrag_cli.stores.base import RelationalStore, Snapshot
from polyrag_cli.stores.table_words import TableWordStore
from polyrag_cli.types import Relation

_FROM = "from "
_CODE = ("tables/relations.py", "text/fold.py", "text/stem.py")


def work_out(relational: RelationalStore, snapshot: Snapshot) -> tuple[Relation, ...]:
    """Return the relations between the tables of a snapshot from their schemas and rows."""
    # What is kept spares the loading of what compares.
    from polyrag_cli.tables.relations import relations_of

    return relations_of(relational.schemas(snapshot), lambda relations: relational.contained(snapshot, relations))


def version_of(relational: RelationalStore, words: TableWordStore | None, snapshot: Snapshot) -> str:
    """Return what tells the tables of a snapshot from any others; "" where not all of them have a kept entry.

    A table that changes gets an entry of another number.
    """
    if words is None:
        return ""
    known = words.known(snapshot)
    refs = relational.refs(snapshot)
    if any(ref.key not in known for ref in refs):
        return ""
    found = hashlib.sha256(_code().encode())
    for ref in refs:
        found.update(f"{ref.name}\0{known[ref.key][0]}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def part_of(table: str) -> str:
    """Return what the part of a table's own relations is called."""
    return f"{_FROM}{table}"


def packed(relations: Sequence[Relation]) -> dict[str, str]:
    """Return relations as JSON, a part for each table that has any."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for relation in relations:
        found.setdefault(part_of(relation.table), []).append(astuple(relation))
    return {part: json.dumps(rows, ensure_ascii=False, separators=(",", ":")) for part, rows in found.items()}


def unpacked(content: str) -> tuple[Relation, ...]:
    """Return the relations of one part."""
    return tuple(Relation(*row) for row in json.loads(content))


def all_unpacked(parts: Mapping[str, str]) -> tuple[Relation, ...]:
    """Return the relations of all parts, as `relations_of` orders them."""
    own = sorted(part for part in parts if part.startswith(_FROM))
    return tuple(relation for part in own for relation in unpacked(parts[part]))


@cache
def _code() -> str:
    found = hashlib.sha256(sources_digest().encode())
    for name in _CODE:
        found.update((Path(__file__).parent.parent / name).read_bytes())
    return found.hexdigest()
