"""The facade that every front door calls: what a configured data directory can be asked to do.

Thread-safe: each thread reads through a snapshot of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from polyrag_cli.config import Settings
from polyrag_cli.engine.deciding import Decider, check_question
from polyrag_cli.engine.parts import Parts
from polyrag_cli.errors import QueryRejected, UsageError
from polyrag_cli.registry import resolve

if TYPE_CHECKING:
    from polyrag_cli.answering.cache import CacheMatch
    from polyrag_cli.engine.asking import Asker
    from polyrag_cli.engine.corpus import Corpus
    from polyrag_cli.engine.ingesting import Ingester, OnImpact
    from polyrag_cli.engine.traces import Traces
    from polyrag_cli.ingest.base import OnProgress
    from polyrag_cli.stores.base import Snapshot
    from polyrag_cli.types import Answer, Event, IngestReport, LinedText, Replay, RouteDecision, Rows, SearchResult


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

    # ------------------------------------------------------------ what it is composed of
    @cached_property
    def corpus(self) -> Corpus:
        """What is in the stores."""
        from polyrag_cli.engine.corpus import Corpus

        return Corpus(self)

    @cached_property
    def traces(self) -> Traces:
        """What questions left behind."""
        from polyrag_cli.engine.traces import Traces

        return Traces(self, self._decider)

    @cached_property
    def _decider(self) -> Decider:
        return Decider(self)

    @cached_property
    def _asker(self) -> Asker:
        from polyrag_cli.engine.asking import Asker

        return Asker(self, self._decider, self.traces.keep)

    @cached_property
    def _ingester(self) -> Ingester:
        from polyrag_cli.engine.ingesting import Ingester

        return Ingester(self, self.traces)

    def warm_up(self) -> None:
        """Loads what the first question needs, for front doors that stay open. Raises StoreError without a corpus."""
        from polyrag_cli.engine.warming import warm_up

        warm_up(self)

    # ------------------------------------------------------------ writing
    def ingest(
        self,
        paths: Sequence[Path | str],
        *,
        dry_run: bool = False,
        skip_graph: bool = False,
        reembed: bool = False,
        on_progress: OnProgress | None = None,
        on_impact: OnImpact | None = None,
    ) -> IngestReport:
        """Reads files and folders into the stores; files that didn't change are left alone.

        on_progress: told how far it is. on_impact: told, before anything is read, what settings that changed since the
        last ingest are about to change, where they did.

        Raises UsageError for a missing path, StoreError when the data directory can't be written.
        """
        from polyrag_cli.engine.ingesting import Request

        return self._ingester.ingest(paths, Request(dry_run, skip_graph, reembed, on_progress, on_impact))

    def ingest_text(self, text: str, document: str, title: str | None = None) -> IngestReport:
        """Ingests a text that is in no file, under a document name."""
        return self._ingester.ingest_text(text, document, title)

    def remove(self, document: str) -> None:
        """Forgets a file's or a document's content. Raises UsageError when there is none of that name."""
        self.catalog  # noqa: B018 - a missing corpus is reported before the pipeline would create one
        self.pipeline().remove(document)

    # ------------------------------------------------------------ reading
    def route(self, question: str) -> RouteDecision:
        """The routing decision, nothing retrieved."""
        text = check_question(question)

        # Not traced: nothing keeps the spans of a bare decision, and the SDK's import would double a one-shot's cost.
        return self.read(lambda snapshot: self._decider.decide(text, snapshot))

    def search(
        self, query: str, top_k: int = 10, route: str | None = None, strategy: str | None = None
    ) -> SearchResult:
        """Fused passages for a query, without an answer."""
        from polyrag_cli.types import SearchResult

        text = check_question(query)
        self._check_choice(route, strategy)

        def found(snapshot: Snapshot) -> SearchResult:
            asked = self._decider.query(text, top_k, snapshot)
            decision = self._decider.decide(text, snapshot, asked.vector, route, strategy)
            return SearchResult(query, self.answerer.search(asked, decision, snapshot))

        return self.read(found)

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
        from polyrag_cli.types import answer_of

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
        from polyrag_cli.engine.asking import Question

        text = check_question(question)
        self._check_choice(route, strategy)
        plain = route is None and strategy is None and top_k is None
        cache = self.cache if use_cache and plain and self.settings.cache.enabled else None
        passages = top_k or self.settings.answer.top_k
        return self._asker.events(Question(question, text, route, strategy, passages, cache))

    def sql(self, statement: str, max_rows: int | None = None) -> Rows:
        """Runs one SELECT over the ingested tables. Raises QueryRejected for anything else.

        max_rows: most rows that come back; answer.max_rows when None.
        """
        if not statement.strip():
            raise QueryRejected(
                "empty statement.", 'Try: polyrag sql "SELECT COUNT(*) FROM …"; polyrag corpus tables lists them.'
            )
        most = max_rows or self.settings.answer.max_rows
        rows = self.read(lambda s: self.stores.relational.execute(s, statement, None, most))
        if any(cell for row in rows.rows for cell in row):
            return rows
        from polyrag_cli.nl2sql.guard import unmatched

        values = unmatched(statement, self.read(self.stores.relational.schemas))
        return replace(rows, notes=tuple(value.told for value in values))

    def replay(self, trace_id: str) -> Replay:
        """Recomputes a kept trace's decision and compares.

        Raises UsageError for an unknown trace, StoreError for a damaged one.
        """
        return self.traces.replay(trace_id)

    def cache_match(self, question: str, cached_question: str) -> CacheMatch:
        """Whether `question` could be served the answer to `cached_question`, and why, slot by slot.

        Values and names of the corpus count, where there is one.
        """
        asked, cached = check_question(question), check_question(cached_question)
        return self.read(lambda snapshot: self.cache.match(asked, cached, snapshot))

    def document_text(self, document: str) -> str:
        """A document's text as extracted. Raises UsageError for an unknown document."""
        return self.corpus.document_text(document)

    def lined_text(self, document: str) -> LinedText:
        """A document's text with its lines in the source. Raises UsageError for an unknown document."""
        return self.corpus.lined_text(document)

    def table_as_text(self, name: str, most: int | None = None) -> list[list[str]]:
        """A table as its source holds it, header first; at most the first `most` lines.

        Raises UsageError for an unknown table.
        """
        return self.corpus.table_as_text(name, most)

    def _check_choice(self, route: str | None, strategy: str | None) -> None:
        known = [r.name for r in self.settings.routes]
        if route is not None and route not in known:
            raise UsageError(f"{route!r} is no route.", f"Known: {', '.join(known)}.")
        if strategy is not None:
            resolve("strategy", strategy)
