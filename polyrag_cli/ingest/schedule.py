"""Files through load and preparation on several threads, handed over in order."""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeVar

from polyrag_cli.display.text import clip
from polyrag_cli.errors import LoadError, ProviderError, StoreError, told
from polyrag_cli.ingest.base import PreparedDocument
from polyrag_cli.ingest.prepare import LoadedFile, Preparer
from polyrag_cli.ingest.sources import SourceFile
from polyrag_cli.loaders.base import reading
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import LoadedDocument

# Files loaded ahead of the one being committed, as long as they are small together.
_AHEAD_FILES = 6
_AHEAD_BYTES = 16 << 20
# Documents of one file that a thread prepares at a time.
_GROUP_DOCUMENTS = 32
_GROUP_CHARS = 100_000

# How often a file that takes long is told how far it is, in seconds.
_TOLD_S = 0.25
_TOLD_CHARS = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: `error` when it can't be read; its documents otherwise."""

    file: SourceFile
    loaded: LoadedFile | None = None
    documents: tuple[PreparedDocument, ...] = ()
    error: LoadError | None = None


@dataclass(slots=True)
class _Job:
    """share: how much of a long file was read so far (0–1), None for others."""

    file: SourceFile
    size: int
    share: float | None = None
    groups: Future[tuple[LoadedFile, list[Future[list[PreparedDocument]]]]] = field(default_factory=Future)


class Scheduler:
    """Runs a preparer on `threads` threads; the order of what it gives doesn't depend on their number."""

    def __init__(self, preparer: Preparer, threads: int) -> None:
        self._preparer = preparer
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="ingest")

    def __enter__(self) -> Scheduler:
        return self

    def __exit__(self, *_: object) -> None:
        # What runs is let finish, what waits isn't begun: an interruption must not leave threads behind.
        self._pool.shutdown(wait=True, cancel_futures=True)

    def outcomes(
        self,
        files: Sequence[SourceFile],
        known: Callable[[SourceFile], SourceRecord | None],
        on_documents: Callable[[SourceFile, int], None],
        on_share: Callable[[SourceFile, float], None] = lambda file, share: None,
    ) -> Iterator[Outcome]:
        """Every file's outcome, in the order of `files`.

        known: a file's record of the last ingest. on_documents: told the chunks of each group of documents. on_share:
        told now and then how much of a long file is read (0–1), by the thread that asks for outcomes.
        Raises ProviderError when the embedder fails: every further file would fail as well.
        """
        waiting = deque(files)
        running: deque[_Job] = deque()
        while waiting or running:
            while waiting and self._may_start(running):
                running.append(self._start(waiting.popleft(), known))
            yield self._finish(running.popleft(), on_documents, on_share)

    def prepared(
        self, work: Callable[[Sequence[T]], list[PreparedDocument]], items: Sequence[T]
    ) -> list[PreparedDocument]:
        """The results of `work` over groups of items, in order."""
        groups = [items[start : start + _GROUP_DOCUMENTS] for start in range(0, len(items), _GROUP_DOCUMENTS)]
        futures = [self._submit(work, group) for group in groups]
        return [document for future in futures for document in future.result()]

    def _may_start(self, running: Sequence[_Job]) -> bool:
        return len(running) < _AHEAD_FILES and sum(job.size for job in running) < _AHEAD_BYTES

    def _start(self, file: SourceFile, known: Callable[[SourceFile], SourceRecord | None]) -> _Job:
        record = known(file)
        try:
            size = file.location.stat().st_size
        except OSError:
            size = 0
        job = _Job(file, size)
        job.groups = self._submit(self._load, job, record)
        return job

    def _load(self, job: _Job, record: SourceRecord | None) -> tuple[LoadedFile, list[Future[list[PreparedDocument]]]]:
        def tell(share: float) -> None:
            job.share = share

        # The context is this call's own.
        reading.set(tell)
        loaded = self._preparer.load(job.file, record)
        groups = _groups(loaded.documents)
        return loaded, [self._submit(self._preparer.prepare, loaded.source, group) for group in groups]

    def _finish(
        self,
        job: _Job,
        on_documents: Callable[[SourceFile, int], None],
        on_share: Callable[[SourceFile, float], None],
    ) -> Outcome:
        def result(future: Future[T]) -> T:
            while not wait([future], _TOLD_S).done:
                if job.share is not None:
                    on_share(job.file, job.share)
            return future.result()

        try:
            loaded, groups = result(job.groups)
            documents: list[PreparedDocument] = []
            for group in groups:
                ready = result(group)
                on_documents(job.file, sum(len(document.chunks) for document in ready))
                documents += ready
        except ProviderError:
            raise
        except LoadError as error:
            return Outcome(job.file, error=error)
        except (OSError, MemoryError, RecursionError) as error:
            return Outcome(job.file, error=LoadError(f"can't be read ({type(error).__name__}: {error})."))
        except StoreError:
            # What the disk refuses, it refuses the other files as well.
            raise
        except Exception as error:  # noqa: BLE001 - the boundary of a file: a library's defect costs no other
            return Outcome(job.file, error=LoadError(f"can't be ingested ({_in_a_line(error)})."))
        return Outcome(job.file, loaded, tuple(documents))

    def _submit(self, work: Callable[..., T], *arguments: object) -> Future[T]:
        # A copied context carries the running trace into the thread.
        return self._pool.submit(contextvars.copy_context().run, work, *arguments)


def _in_a_line(error: Exception) -> str:
    return clip(" ".join(told(error).split()), _TOLD_CHARS)


def _groups(documents: Sequence[LoadedDocument]) -> list[list[LoadedDocument]]:
    groups: list[list[LoadedDocument]] = []
    size = 0
    for document in documents:
        if not groups or len(groups[-1]) >= _GROUP_DOCUMENTS or size + len(document.text) > _GROUP_CHARS:
            groups.append([])
            size = 0
        groups[-1].append(document)
        size += len(document.text)
    return groups
