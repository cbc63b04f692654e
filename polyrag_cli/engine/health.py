"""Whether the stores are well, and how they are mended: what `doctor` reports and does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from polyrag_cli.engine.parts import Parts
from polyrag_cli.errors import PolyRAGError, StoreError
from polyrag_cli.ingest.table_words import keep_tables
from polyrag_cli.languages import all_languages
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.scratch import sweep_scratch

LOCK_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `doctor` looked at; detail: figures when ok, else what is wrong and what to do."""

    name: str
    ok: bool
    detail: str


def health(parts: Parts) -> dict[str, Any]:
    """Checks of the language files, the embedder and each store, the counts, the generation and the fingerprint of the
    content."""
    checks = [
        _checked("languages", lambda: ", ".join(known.code for known in all_languages())),
        _checked("embedder", lambda: f"{parts.embedder.name}, dimension {parts.embedder.dimension}"),
    ]
    if not parts.has_corpus:
        checks.append(Check("corpus", True, "empty: nothing ingested yet"))
        return {"checks": checks, "counts": {}, "generation": 0, "fingerprint": ""}
    checks.append(_checked("activity", parts.activity.check))
    counts: Mapping[str, int] = {}
    generation, fingerprint = 0, ""
    try:
        with parts.catalog.snapshot() as snapshot:
            counts, generation = parts.catalog.counts(snapshot), snapshot.generation
            fingerprint = parts.catalog.fingerprint(snapshot)
            checks += _store_checks(parts, snapshot)
    except StoreError as error:
        checks.append(Check("catalog", False, str(error)))
    return {"checks": checks, "counts": dict(counts), "generation": generation, "fingerprint": fingerprint}


def _store_checks(parts: Parts, snapshot: Snapshot) -> list[Check]:
    def vector_check() -> str:
        parts.check_embedder(snapshot)
        return parts.stores.vector.check(snapshot)

    checks = {"catalog": parts.catalog.check, **{kind: store.check for kind, store in parts.stores.each().items()}}
    if parts.stores.table_words is not None:
        checks["table words"] = parts.stores.table_words.check
    named = {kind: partial(check, snapshot) for kind, check in checks.items()} | {"vector": vector_check}
    return [_checked(name, check) for name, check in named.items()]


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, check())
    except PolyRAGError as error:
        return Check(name, False, str(error))


def repair(parts: Parts) -> None:
    """Drops damaged activity; has each store, under the writer lock, write derived files anew and sweep what nothing
    refers to; keeps anew what is damaged of what questions find tables by.

    Raises LockTimeout when another process goes on writing.
    """
    parts.activity.repair()

    def each(snapshot: Snapshot) -> None:
        for store in parts.stores.each().values():
            store.repair(snapshot)

    parts.catalog.derive(each, LOCK_TIMEOUT_S)
    sweep_scratch(parts.paths)
    keep_tables(parts.stores)
