"""Owns the files of a store that keeps each document's content in one file, beside the catalog.

A file is named by its content and written before the commit, whose transaction records that it counts. So a snapshot
finds exactly the files of its generation, and a process that dies leaves at worst a file that nothing names.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from polyrag_cli.stores.base import Snapshot, Transaction, Writer
from polyrag_cli.stores.faults import StaleSnapshot, store_errors
from polyrag_cli.whole_file import drop_left, replacing

# A file that a commit or a reader may be about to name is left alone this long.
_SWEEP_SECONDS = 600.0


class DocumentFiles:
    """The files of one store in one folder.

    store: its name in the catalog, such as "graph.json". suffix: of its files.
    """

    def __init__(self, folder: Path, store: str, suffix: str) -> None:
        self._folder = folder
        self._store = store
        self._suffix = suffix

    def write(self, writer: Writer, document: str, content: bytes) -> None:
        """Writes a document's content, which counts from the writer's commit on.

        Raises StoreError when the disk refuses.
        """
        # The length tells a torn file apart without reading it.
        version = f"{hashlib.sha256(content).hexdigest()}-{len(content)}"
        target = self.path(version)
        with store_errors(target):
            if self._is_whole(version):
                # A young file is safe from the sweep until its commit.
                os.utime(target)
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
                with replacing(target) as unfinished:
                    unfinished.write_bytes(content)
        writer.set_version(self._store, document, version)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document from the writer's commit on; its file is swept later."""
        writer.set_version(self._store, document, None)

    def versions(self, transaction: Transaction) -> list[tuple[str, str]]:
        """Each document with the version that counts, by document."""
        return sorted(transaction.versions(self._store).items())

    def read(self, version: str) -> bytes:
        """The content of a version. Raises StaleSnapshot when its file is gone, StoreError when it can't be read."""
        path = self.path(version)
        with store_errors(path):
            try:
                return path.read_bytes()
            except FileNotFoundError as error:
                hint = "Ingest its folder again: that writes it anew."
                raise StaleSnapshot(f"The file {path} is gone.", hint) from error

    def lost(self, snapshot: Snapshot) -> frozenset[str]:
        """The documents whose file is gone or torn."""
        return frozenset(document for document, version in self.versions(snapshot) if not self._is_whole(version))

    def sweep(self, snapshot: Snapshot) -> None:
        """Deletes files that the snapshot doesn't name, unless they are young; called under the writer lock."""
        named = {self.path(version) for _, version in self.versions(snapshot)}
        oldest = time.time() - _SWEEP_SECONDS
        for path in self._folder.glob(f"*{self._suffix}"):
            with suppress(OSError):
                if path not in named and path.stat().st_mtime < oldest:
                    path.unlink()
        drop_left(self._folder)

    def path(self, version: str) -> Path:
        """Where the file of a version stands."""
        return self._folder / f"{version.partition('-')[0]}{self._suffix}"

    def _is_whole(self, version: str) -> bool:
        with suppress(OSError):
            return self.path(version).stat().st_size == int(version.partition("-")[2])
        return False
