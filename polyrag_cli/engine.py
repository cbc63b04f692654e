"""The facade: the only place where a configuration value becomes an object. Every front door calls it.

Thread-safe: each thread reads through a snapshot of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from polyrag_cli import inspection
from polyrag_cli.asking import Asker, Question
from polyrag_cli.config import Settings
from polyrag_cli.errors import QueryRejected, StoreError, UsageError
from polyrag_cli.parts import Parts
from polyrag_cli.registry import resolve
from polyrag_cli.stores.base import Snapshot, StoredChunk
from polyrag_cli.types import (
    Answer,
    Event,
    FileReport,
    IngestReport,
    Replay,
    RouteDecision,
    Rows,
    SearchResult,
    TableSchema,
    answer_of,
    as_json,
)

if TYPE_CHECKING:
    from polyrag_cli.answering.cache import CacheMatch
    from polyrag_cli.graph.base import Neighbour

MAX_QUESTION_CHARS = 200_000


class Engine(Parts):
    """One corpus: a data directory with the settings that it is read and written with.

    >>> with Engine.open(data_dir=".polyrag") as engine:
    ...     engine.ask("Which region sold most?").answer
    """

    @classmethod
    def open(
        cls,
        data_dir: Path | str | None = None,
        config: Path | str | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> Engine:
        """An engine over a data directory (by default the configured one).

        overrides: dotted keys of polyrag.toml, such as {"embedder.name": "hashing"}.

        Raises ConfigError when a setting is unknown or impossible.
        """
        return cls(Settings.load(config=config, data_dir=data_dir, overrides=overrides))

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------ writing
    def ingest(
        self,
        paths: Sequence[Path | str],
        *,
        dry_run: bool = False,
        skip_graph: bool = False,
        reembed: bool = False,
        on_progress: Callable[..., None] | None = None,
    ) -> IngestReport:
        """Reads files and folders into the stores; files that didn't change are left alone.

        Raises UsageError for a missing path, StoreError when the data directory can't be written.
        """
        if dry_run and not self.has_corpus:
            return self._rehearse(paths, skip_graph, on_progress)
        with self.traced("ingest", keep=False):
            if dry_run:
                pipeline = self.pipeline(on_progress)
                return pipeline.ingest(paths, dry_run=True, skip_graph=skip_graph, reembed=reembed)
            with self._job("reembed" if reembed else "ingest", on_progress) as tell:
                report = self.pipeline(tell).ingest(paths, skip_graph=skip_graph, reembed=reembed)
                self.router.keep_anchors()
                return report

    @contextmanager
    def _job(self, kind: str, on_progress: Callable[..., None] | None) -> Iterator[Callable[..., None]]:
        """Work that other processes see: what to tell how far it is, which tells `on_progress` as well."""
        with self.jobs.tracked(kind) as update:

            def tell(done: int, total: int, name: str, chunks: int) -> None:
                update(done, total, name, chunks)
                if on_progress is not None:
                    on_progress(done, total, name, chunks)

            yield tell

    def _rehearse(
        self, paths: Sequence[Path | str], skip_graph: bool, on_progress: Callable[..., None] | None
    ) -> IngestReport:
        """A dry run where there is no corpus yet: over an empty one elsewhere, so that nothing is written here."""
        from tempfile import TemporaryDirectory

        with (
            TemporaryDirectory(prefix="polyrag-") as folder,
            Engine(self.settings.with_data(Path(folder) / "data")) as elsewhere,
        ):
            return elsewhere.pipeline(on_progress).ingest(paths, dry_run=True, skip_graph=skip_graph)

    def ingest_text(self, text: str, document: str, title: str | None = None) -> IngestReport:
        """Ingests a text that is in no file, under a document name."""
        with self.traced("ingest", keep=False):
            report = self.pipeline().ingest_text(text, document, title)
            self.router.keep_anchors()
            return report

    def remove(self, document: str) -> None:
        """Forgets a file's or a document's content. Raises UsageError when there is none of that name."""
        self.catalog  # noqa: B018 - a missing corpus is reported before the pipeline would create one
        self.pipeline().remove(document)

    # ------------------------------------------------------------ reading
    def route(self, question: str) -> RouteDecision:
        """The routing decision, nothing retrieved."""
        text = check_question(question)

        # Not traced: nothing keeps the spans of a bare decision, and the SDK's import would double a one-shot's cost.
        return self.read(lambda snapshot: self._asker.decide(text, snapshot))

    def search(
        self, query: str, top_k: int = 10, route: str | None = None, strategy: str | None = None
    ) -> SearchResult:
        """Fused passages for a query, without an answer."""
        text = check_question(query)
        self._check_choice(route, strategy)

        def work(snapshot: Snapshot) -> SearchResult:
            asked = self._asker.query(text, top_k, snapshot)
            decision = self._asker.forced(self._asker.decide(text, snapshot, asked.vector), route, strategy)
            return SearchResult(query, self.answerer.search(asked, decision, snapshot))

        return self.read(work)

    def ask(
        self,
        question: str,
        route: str | None = None,
        strategy: str | None = None,
        top_k: int | None = None,
        use_cache: bool = True,
    ) -> Answer:
        """Answers a question from the corpus; `answer` is None when nothing in it supports one.

        route, strategy: force them; top_k: passages a clause may draw on (by default answer.top_k).

        Raises QueryRejected for an empty question, UsageError for an unknown route or strategy, StoreError without
        a corpus.
        """
        return answer_of(self.ask_events(question, route, strategy, top_k, use_cache))

    def ask_events(
        self,
        question: str,
        route: str | None = None,
        strategy: str | None = None,
        top_k: int | None = None,
        use_cache: bool = True,
    ) -> Iterator[Event]:
        """Answers a question as `ask` does and tells what happens on the way, the answer last.

        The work is done while the next event is waited for; closed early, the question is dropped. An answer from the
        cache comes without a decision of its own.

        Raises what `ask` does: a question or a choice that can't be at once, all else from the iterator.
        """
        text = check_question(question)
        self._check_choice(route, strategy)
        plain = route is None and strategy is None and top_k is None
        cache = self.cache if use_cache and plain and self.settings.cache.enabled else None
        passages = top_k or self.settings.answer.top_k
        return self._asker.events(Question(question, text, route, strategy, passages, cache))

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self, lambda answer: self._remember(answer))

    def _remember(self, answer: Answer) -> Answer:
        """Keeps the trace; where that fails the answer still goes out, with a warning."""
        payload = json.dumps(as_json(answer), ensure_ascii=True)
        try:
            self.activity.put_trace(
                answer.trace_id,
                question=answer.question,
                routes=answer.routes,
                cached=answer.cached,
                failed=answer.answer is None,
                took_ms=answer.took_ms,
                payload_json=payload,
            )
        except StoreError as error:
            return replace(answer, warnings=(*answer.warnings, f"trace not kept: {error.message}"))
        return answer

    def sql(self, statement: str) -> Rows:
        """Runs one SELECT over the ingested tables. Raises QueryRejected for anything else."""
        if not statement.strip():
            raise QueryRejected(
                "empty statement.", 'Try: polyrag sql "SELECT COUNT(*) FROM …"; polyrag corpus tables lists them.'
            )
        return self.read(lambda s: self.stores.relational.execute(s, statement, None, self.settings.answer.max_rows))

    def replay(self, trace_id: str) -> Replay:
        """Recomputes a stored trace's decision and compares. Raises as `stored_trace` does."""
        from polyrag_cli.routing.replay import decision_from_json, differences

        payload = self.stored_trace(trace_id)
        stored = decision_from_json(payload["decision"])
        now = self._asker.forced(self.route(stored.question), stored.forced_route, stored.forced_strategy)
        found = differences(stored, now)
        return Replay(payload["trace_id"], not found, stored, now, found)

    def stored_trace(self, trace_id: str) -> dict[str, Any]:
        """A kept trace as `ask --json` gave it, by its id or a unique beginning of it.

        Raises UsageError for an unknown one, StoreError for a damaged one.
        """
        from polyrag_cli.answering.records import stored_fields

        return stored_fields(self.activity.trace(trace_id).payload)

    def cache_match(self, question: str, cached_question: str) -> CacheMatch:
        """Whether `question` could be served the answer to `cached_question`, and why."""
        return self.cache.match(check_question(question), check_question(cached_question))

    def document_text(self, document: str) -> str:
        """A document's text as extracted. Raises UsageError for an unknown document."""
        with self.catalog.snapshot() as snapshot:
            return inspection.document_text(self.stores, snapshot, document)

    def table_as_text(self, name: str) -> list[list[str]]:
        """A table as its source holds it, header first. Raises UsageError for an unknown table."""
        with self.catalog.snapshot() as snapshot:
            return inspection.table_as_text(self.stores, snapshot, name)

    # ------------------------------------------------------------ looking at the corpus
    def files(self) -> tuple[FileReport, ...]:
        """Every ingested file with its state, chunks by home route and tables, by name."""
        with self.catalog.snapshot() as snapshot:
            return inspection.files(self.stores, snapshot)

    def overview(self) -> tuple[inspection.FileOverview, ...]:
        """Every ingested file as `files` gives it, with its language and warnings."""
        with self.catalog.snapshot() as snapshot:
            return inspection.overview(self.stores, snapshot)

    def chunks(self, document: str) -> list[StoredChunk]:
        """The chunks of a document, or of all documents in a file, with their routes. Raises UsageError for an
        unknown name."""
        with self.catalog.snapshot() as snapshot:
            return inspection.chunks(self.stores, snapshot, document)

    def tables(self) -> tuple[TableSchema, ...]:
        """Every table with its typed columns, by name."""
        with self.catalog.snapshot() as snapshot:
            return self.stores.relational.schemas(snapshot)

    def headings(self) -> list[str]:
        """The distinct heading paths, sorted."""
        with self.catalog.snapshot() as snapshot:
            return sorted({heading for _, heading, _ in self.catalog.headings(snapshot) if heading})

    def neighbours(self, name: str) -> list[Neighbour]:
        """What an entity is related to and mentioned with."""
        with self.catalog.snapshot() as snapshot:
            return self.stores.graph.neighbours(snapshot, name)

    def names(self, like: str = "", within: str = "") -> list[str]:
        """At most 50 names of the graph that hold `like`, in the chunk `within` when one is given."""
        with self.catalog.snapshot() as snapshot:
            return self.stores.graph.names(snapshot, like, within)

    def graphml(self) -> str:
        """The whole graph as GraphML."""
        from polyrag_cli.graph.export import graphml

        with self.catalog.snapshot() as snapshot:
            return graphml(self.stores.graph.content(snapshot))

    def health(self) -> dict[str, Any]:
        """What `doctor` reports: checks of each store, counts, the generation and the fingerprint."""
        return inspection.health(self)

    def repair(self) -> None:
        """Rebuilds what is derived and sweeps files that nothing refers to."""
        inspection.repair(self)

    # ------------------------------------------------------------ plumbing
    def _check_choice(self, route: str | None, strategy: str | None) -> None:
        known = [r.name for r in self.settings.routes]
        if route is not None and route not in known:
            raise UsageError(f"{route!r} is no route.", f"Known: {', '.join(known)}.")
        if strategy is not None:
            resolve("strategy", strategy)


def check_question(question: str) -> str:
    """The question without control characters and outer white space.

    Raises QueryRejected when nothing is left, or when it is longer than 200,000 characters.
    """
    if len(question) > MAX_QUESTION_CHARS:
        raise QueryRejected(f"the question is longer than {MAX_QUESTION_CHARS:,} characters.", "Ask something shorter.")
    # The two joiners are part of how words of some scripts are spelt.
    text = "".join(c if c.isprintable() or c in "\n\t\u200c\u200d" else " " for c in question).strip()
    if not any(c.isalnum() for c in text):
        raise QueryRejected("the question holds no words.", 'Try: polyrag ask "Which region sold most?"')
    return text
