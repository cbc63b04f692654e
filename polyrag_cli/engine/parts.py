"""The parts of an engine, each made from the settings when it is first used, and how they are read through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from polyrag_cli.config import Settings, user_cache
from polyrag_cli.config.sections import NO_WRITER
from polyrag_cli.errors import StoreError
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.registry import resolve
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot, Work
from polyrag_cli.stores.catalog import META_EMBEDDER
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.strategies.table_relations import TableRelations
from polyrag_cli.tracing import Listener, Trace, trace

if TYPE_CHECKING:
    from polyrag_cli.answering.answerer import Answerer
    from polyrag_cli.answering.cache import AnswerCache
    from polyrag_cli.ingest.pipeline import IngestPipeline
    from polyrag_cli.providers.base import Embedder
    from polyrag_cli.providers.sql_writer import SqlWriter
    from polyrag_cli.routing.router import Router
    from polyrag_cli.stores.activity import Activity
    from polyrag_cli.stores.catalog import Catalog, CatalogBackend
    from polyrag_cli.stores.jobs import Jobs

Value = TypeVar("Value")

_STALE_RETRIES = 3


class Parts:
    """Catalog, stores, embedder, router and answerer of one data directory, over one set of settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.paths = DataPaths(settings.paths.data)

    def close(self) -> None:
        """Closes every connection that this engine opened."""
        for name in ("catalog", "activity", "embedder"):
            part = self.__dict__.pop(name, None)
            if part is not None:
                part.close()
        self.__dict__.pop("stores", None)

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog; StoreError when nothing was ingested yet."""
        return self._catalogs.open(self.paths, create=False)

    @property
    def has_corpus(self) -> bool:
        """Whether anything was ever ingested into the data directory."""
        return self._catalogs.exists(self.paths)

    @property
    def _catalogs(self) -> CatalogBackend:
        backend: CatalogBackend = resolve("catalog", self.settings.stores.catalog)
        return backend

    @cached_property
    def activity(self) -> Activity:
        """Traces and cached answers."""
        return self._activity_in(self.paths)

    @cached_property
    def jobs(self) -> Jobs:
        """What work is going on in the data directory, whoever does it."""
        from polyrag_cli.stores.jobs import Jobs

        return Jobs(self.paths.jobs)

    def leave_no_trace(self, folder: Path) -> None:
        """Keeps traces and cached answers in another folder from now on: a measurement must not push out the user's."""
        self.__dict__["activity"] = self._activity_in(DataPaths(folder))

    def _activity_in(self, paths: DataPaths) -> Activity:
        from polyrag_cli.stores.activity import Activity

        return Activity(paths, self.settings.tracing.keep, self.settings.cache.max_entries)

    @cached_property
    def embedder(self) -> Embedder:
        """The configured embedder; what it decodes of its weights is kept once for all data directories of a user."""
        embedder: Embedder = resolve("embedder", self.settings.embedder.name).from_options(
            cache_dir=user_cache() or self.paths.cache, threads=self.settings.embedder.threads
        )
        return embedder

    @cached_property
    def stores(self) -> Stores:
        """The catalog and the stores beside it; StoreError when nothing was ingested yet."""
        chosen = self.settings.stores
        paths = replace(self.paths, common=user_cache())
        backends = {kind: getattr(chosen, kind) for kind in ("relational", "vector", "lexical", "graph")}
        return Stores(
            catalog=self.catalog,
            **{kind: resolve(kind, name)(paths) for kind, name in backends.items()},
            # The words lie where the passages and the tables do.
            shared=resolve("shared", chosen.catalog)(self.paths),
            terms=resolve("terms", chosen.catalog)(paths),
            table_words=resolve("table_words", chosen.catalog)(self.paths),
            labels=resolve("labels", "npy")(self.paths),
            backends=backends,
        )

    @cached_property
    def router(self) -> Router:
        """The three-stage router."""
        from polyrag_cli.routing.router import Router

        settings = self.settings
        return Router(settings.routes, settings.routing, self.embedder, self.paths.cache, self.table_indexes)

    @cached_property
    def table_indexes(self) -> TableIndexes:
        """The index of the tables that questions are asked of, for the router and the answerer."""
        return TableIndexes()

    @cached_property
    def table_relations(self) -> TableRelations:
        """The relations between the tables, for the answerer and for who looks at a table."""
        return TableRelations()

    @cached_property
    def cache(self) -> AnswerCache:
        """Answers to earlier questions, behind the guard."""
        from polyrag_cli.answering.cache import AnswerCache

        return AnswerCache(self.activity, self.embedder, self.settings.cache, lambda: self.stores)

    @cached_property
    def answer_hash(self) -> str:
        """Sha256 over all but the corpus that an answer depends on: version, settings, routes, anchors, embedder."""
        from polyrag_cli import __version__

        settings = self.settings
        parts = (
            settings.retrieval,
            settings.answer,
            settings.answer_probability,
            settings.table_confidence,
            settings.sql_writer,
        )
        state = [asdict(part) for part in parts]
        text = json.dumps([__version__, self.router.config_hash, state], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def answerer(self) -> Answerer:
        """Retrieval, hand-over between stores and the composing of answers."""
        from polyrag_cli.answering.answerer import Answerer

        return Answerer(
            stores=self.stores,
            embedder=self.embedder,
            retrieval=self.settings.retrieval,
            routes={r.name: (r.kind, r.strategy) for r in self.settings.routes},
            limits=self.settings.answer,
            tables=self.table_indexes,
            relations=self.table_relations,
            sql_writer=self.sql_writer,
            answer_probability=self.settings.answer_probability,
            table_confidence=self.settings.table_confidence,
        )

    @cached_property
    def sql_writer(self) -> SqlWriter | None:
        """The configured second writer of SQL, if any."""
        chosen = self.settings.sql_writer
        if chosen.name == NO_WRITER:
            return None
        writer: SqlWriter = resolve("sql_writer", chosen.name).from_options(recordings=chosen.recordings)
        return writer

    @contextmanager
    def snapshot(self, work: Work | None = None) -> Iterator[Snapshot]:
        """One read transaction; refused when the corpus has another embedder's vectors or is kept in other stores."""
        with self.catalog.snapshot(work) as snapshot:
            self.check_embedder(snapshot)
            self.stores.check_backends(snapshot)
            yield snapshot

    def read(self, reading: Callable[[Snapshot], Value], work: Work | None = None) -> Value:
        """What `reading` finds in a snapshot; done again on a fresh one when a file of the old one was swept meanwhile.

        work: what reads, where it has read or will read through other snapshots too.
        """
        for _ in range(_STALE_RETRIES - 1):
            with suppress(StaleSnapshot), self.snapshot(work) as snapshot:
                return reading(snapshot)
        with self.snapshot(work) as snapshot:
            return reading(snapshot)

    @contextmanager
    def traced(self, name: str, keep: bool = True, listener: Listener | None = None) -> Iterator[Trace | None]:
        """A trace as the settings want it; None where they want none. keep, listener: as of `tracing.trace`."""
        if not self.settings.tracing.enabled:
            yield None
            return
        with trace(name, content=self.settings.tracing.content, keep=keep, listener=listener) as started:
            yield started

    def check_embedder(self, snapshot: Snapshot) -> None:
        """Raises StoreError when the corpus was embedded with another embedder than the configured one."""
        stored = self.catalog.meta(snapshot, META_EMBEDDER)
        if stored is not None and stored != self.embedder.name:
            raise StoreError(
                f"{self.paths.root}: the corpus was embedded with {stored}, the settings name {self.embedder.name}.",
                "Embed it again with: polyrag ingest --reembed",
            )

    def pipeline(self, on_progress: Callable[..., None] | None = None) -> IngestPipeline:
        """The ingest pipeline over this data directory, which it creates where it is absent."""
        from polyrag_cli.ingest.pipeline import IngestPipeline, PipelineSettings

        if "catalog" not in self.__dict__:
            self.__dict__["catalog"] = self._catalogs.open(self.paths, create=True)
        return IngestPipeline(
            catalog=self.catalog,
            stores=self.stores,
            embedder=self.embedder,
            chunk_router=self.router,
            settings=PipelineSettings(
                self.settings.chunking, recipe=self.settings.ingest_hash, data_dir=self.paths.root
            ),
            on_progress=on_progress,
        )
