from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.errors import PermanentProviderError
from polyrag_cli.providers.sql_replay import ReplayingSqlWriter
from polyrag_cli.providers.sql_writer import SqlRequest
from polyrag_cli.registry import resolve


def test_a_recorded_statement_is_given_back_by_question_and_refusal(tmp_path: Path) -> None:
    file = tmp_path / "statements.jsonl"
    file.write_text(
        '{"question": "How many?", "sql": "SELECT 1"}\n\n'
        '{"question": "How many?", "refused": "SELECT 1 ", "sql": "SELECT 2"}\n',
        encoding="utf-8",
    )
    writer = resolve("sql_writer", "replay").from_options(recordings=[file])
    assert isinstance(writer, ReplayingSqlWriter)
    assert writer.write(SqlRequest("how  MANY?", "card")) == "SELECT 1"
    assert writer.write(SqlRequest("How many?", "card", "SELECT 1", "no such thing")) == "SELECT 2"
    assert writer.write(SqlRequest("How much?", "card")) == ""


@pytest.mark.parametrize("content", [None, "{", "[1]", '{"question": "a"}'])
def test_a_recording_that_can_t_be_read_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "statements.jsonl"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(PermanentProviderError, match=r"statements\.jsonl: no recording of statements"):
        ReplayingSqlWriter([file]).write(SqlRequest("How many?", ""))
