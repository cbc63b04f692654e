"""Owns the relations between stored tables as they are kept from one process to the next."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from functools import cache
from pathlib import Path

from polyrag_cli.languages.compiled import sources_digest
from polyrag_cli.stores.base import RelationalStore, Snapshot
from polyrag_cli.stores.table_words import TableWordStore
from polyrag_cli.types import Relation

_CODE = ("tables/relations.py", "text/fold.py", "text/stem.py")


def related(relational: RelationalStore, words: TableWordStore | None, snapshot: Snapshot) -> tuple[Relation, ...]:
    """Return the relations between the tables of a snapshot: those kept of these very tables, else new ones."""
    version = version_of(relational, words, snapshot)
    if words is not None and version:
        content = words.of(snapshot).relations(version)
        found = _unpacked(content) if content is not None else None
        if found is not None:
            return found
    return work_out(relational, snapshot)


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


def packed(relations: tuple[Relation, ...]) -> str:
    """Return relations as JSON."""
    return json.dumps([astuple(relation) for relation in relations], ensure_ascii=False)


def _unpacked(content: str) -> tuple[Relation, ...] | None:
    try:
        return tuple(Relation(*row) for row in json.loads(content))
    except (ValueError, TypeError):
        return None


@cache
def _code() -> str:
    found = hashlib.sha256(sources_digest().encode())
    for name in _CODE:
        found.update((Path(__file__).parent.parent / name).read_bytes())
    return found.hexdigest()
