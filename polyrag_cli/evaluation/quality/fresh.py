"""A corpus ingested anew into a temporary data directory: a number must not outlive the code that made it.

Owns where the files come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from polyrag_cli.engine import Engine
from polyrag_cli.errors import LoadError, UsageError
from polyrag_cli.stores.records import DocumentRecord, SourceRecord

Progress = AbstractContextManager[Callable[..., None] | None]

_NAME_ONE = "Name it with --corpus PATH."


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What a catalog says its content was made of: files with their roots, and texts that are in no file."""

    files: tuple[SourceRecord, ...]
    texts: tuple[tuple[str, str, str], ...]


@contextmanager
def fresh_engine(
    engine: Engine, corpus: Sequence[Path], progress: Callable[[], Progress] = nullcontext
) -> Iterator[Engine]:
    """An engine with the same settings over a corpus that is ingested here and forgotten afterwards.

    corpus: files and folders; without any, the files that the engine's catalog records, under the names that they have
    there. Texts that came from standard input are taken from the catalog as they were extracted.
    progress: opened while files are read, gives what is told of each.

    Raises UsageError when there is neither, or when a recorded file is gone; LoadError when a file can't be read.
    """
    recorded = None if corpus else _recorded(engine)
    with (
        TemporaryDirectory(prefix="polyrag-") as folder,
        Engine(engine.settings.with_data(Path(folder) / "data")) as new,
    ):
        paths: Sequence[Path] = corpus
        if recorded is not None:
            paths = [Path(record.root) / record.path for record in recorded.files]
            _seed(new, recorded.files)
        with progress() as on_progress:
            report = new.ingest(list(paths), on_progress=on_progress)
        failed = [file for file in report.files if file.status == "failed"]
        if failed:
            raise LoadError(
                f"{failed[0].document}: {failed[0].reason}", "Numbers over half a corpus would mean nothing."
            )
        for document, title, text in recorded.texts if recorded is not None else ():
            new.ingest_text(text, document, title or None)
        if not report.files and not (recorded is not None and recorded.texts):
            raise LoadError(f"{', '.join(map(str, corpus))}: nothing in it can be ingested.", _NAME_ONE)
        yield new


def _recorded(engine: Engine) -> _Recorded:
    root = engine.paths.root
    if not engine.has_corpus:
        raise UsageError(f"--reset: no corpus to read again, {root} holds none.", _NAME_ONE)
    with engine.catalog.snapshot() as snapshot:
        records = engine.catalog.sources(snapshot)
        texts = tuple(
            _given(engine.catalog.document(snapshot, document.document))
            for record in records
            if not Path(record.root).is_absolute()
            for document in engine.catalog.documents(snapshot, record.document)
        )
    files = tuple(record for record in records if Path(record.root).is_absolute())
    if not files and not texts:
        raise UsageError(f"--reset: no corpus to read again, {root} is empty.", _NAME_ONE)
    gone = [record for record in files if not (Path(record.root) / record.path).exists()]
    if gone:
        where = Path(gone[0].root) / gone[0].path
        more = f" (and {len(gone) - 1} more)" if len(gone) > 1 else ""
        raise UsageError(f"--reset: {where}{more} was ingested and is gone.", f"Ingest again, or: {_NAME_ONE}")
    return _Recorded(files, texts)


def _given(document: DocumentRecord) -> tuple[str, str, str]:
    """Name, title and text of a document that is in no file, as it came."""
    return document.document, document.title, document.given or document.text


def _seed(engine: Engine, records: Sequence[SourceRecord]) -> None:
    """Tells the new catalog the roots and names of the files: which ones a document's name is relative to is decided by
    how it was first ingested. Their hashes are left out, so each is read."""
    engine.pipeline()
    with engine.catalog.writer() as writer:
        engine.stores.note_backends(writer)
        for record in records:
            engine.catalog.put_source(writer, replace(record, sha256="", size=-1, mtime_ns=0, recipe=""))
