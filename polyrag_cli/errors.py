"""The exception tree.

::

    PolyRAGError            message, hint, exit_code
    ├── UsageError          2   a wrong argument, a missing path or a named file that isn't what it must be
    ├── ConfigError         2   polyrag.toml, environment or a flag holds something impossible
    ├── QueryRejected       2   a question or a statement that is refused
    ├── LoadError           3   a file of the corpus that can't be read
    ├── StoreError          3   a store that can't be read or written
    │   └── LockTimeout     3   another process holds the writer lock for too long
    ├── ProviderError       3   an embedder, generator or OCR engine failed
    │   ├── TransientProviderError      worth another try
    │   └── PermanentProviderError      not worth one
    └── GateFailed          4   a quality gate failed or a replay differs
"""

from __future__ import annotations


class PolyRAGError(Exception):
    """Anything that PolyRAG reports to its user: one line of what is wrong and one of what to do.

    message: what is wrong, naming the file or the key.
    hint: what to do about it; empty when the message says it.
    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


def told(error: Exception) -> str:
    """An error in one line, for whoever waits for a thread: one that no part foresaw is told with its kind."""
    return str(error) if isinstance(error, PolyRAGError) else f"unexpected {type(error).__name__}: {error}"


def reason(error: Exception) -> str:
    """Why something failed, without its number and its path: the message that it goes into names the file."""
    return getattr(error, "strerror", None) or str(error)


class UsageError(PolyRAGError):
    """A wrong argument, a path that doesn't exist, or a set, baseline or saved run that can't be read as one."""

    exit_code = 2


class ConfigError(PolyRAGError):
    """A setting that is unknown, of the wrong type or impossible."""

    exit_code = 2


class QueryRejected(PolyRAGError):
    """A question or SQL statement that is refused before anything runs."""

    exit_code = 2


class LoadError(PolyRAGError):
    """A file that can't be read as what it claims to be."""


class StoreError(PolyRAGError):
    """A store that can't be opened, read or written."""


class LockTimeout(StoreError):
    """Another process holds the writer lock and didn't let go in time."""


class ProviderError(PolyRAGError):
    """An embedder, generator or OCR engine failed."""


class TransientProviderError(ProviderError):
    """A failure that another try may not meet."""


class PermanentProviderError(ProviderError):
    """A failure that every further try will meet."""


class GateFailed(PolyRAGError):
    """A quality gate failed, or a replayed decision differs."""

    exit_code = 4
