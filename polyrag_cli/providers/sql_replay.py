"""A writer of SQL that gives back recorded statements, for tests and for comparing models without running one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from polyrag_cli.errors import PermanentProviderError, reason
from polyrag_cli.providers.sql_writer import SqlRequest


class ReplayingSqlWriter:
    """Statements by question, and by the statement that was refused before.

    recordings: JSONL files of `{"question", "sql"}`; `refused` in a line makes it the answer to that one's refusal.
    """

    name = "replay"

    def __init__(self, recordings: Sequence[Path]) -> None:
        self._recordings = tuple(recordings)
        self._statements: dict[tuple[str, str], str] | None = None

    @classmethod
    def from_options(cls, *, recordings: Sequence[Path]) -> Self:
        """The writer over some recordings, which are read when it is first asked."""
        return cls(recordings)

    def write(self, request: SqlRequest) -> str:
        """The recorded statement; "" for a question that isn't recorded.

        Raises PermanentProviderError when a recording can't be read.
        """
        if self._statements is None:
            self._statements = {key: sql for file in self._recordings for key, sql in _records(file).items()}
        return self._statements.get((_key(request.question), request.refused.strip()), "")


def _records(file: Path) -> dict[tuple[str, str], str]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines if line.strip()]
        return {(_key(r["question"]), str(r.get("refused", "")).strip()): str(r["sql"]) for r in records}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PermanentProviderError(
            f"{file}: no recording of statements: {reason(error)}.", 'It holds lines of {"question": …, "sql": …}.'
        ) from error


def _key(question: str) -> str:
    return " ".join(question.casefold().split())
