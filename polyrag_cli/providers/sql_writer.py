"""The second writer's interface: a question and what may be asked of, in; a statement, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class SqlRequest:
    """What a writer is asked for.

    card: the tables and columns that a statement may name, a line each, with values that the question may mean.
    refused, error: the statement that it wrote before for the same question and why it can't run; "" the first time.
    """

    question: str
    card: str
    refused: str = ""
    error: str = ""


class SqlWriter(Protocol):
    """Writes one SELECT for a question; what it writes is checked before it runs, and never trusted.

    name: what it is called where its statement is shown.
    """

    name: str

    @classmethod
    def from_options(cls, *, recordings: Sequence[Path]) -> Self:
        """The writer that the settings describe. recordings: the files that a replaying one reads."""
        ...

    def write(self, request: SqlRequest) -> str:
        """One statement, or "" when it has none.

        Raises ProviderError when it can't be asked.
        """
        ...
