"""How a reading and what was left open look."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, cast

from rich.console import Console

from polyrag_cli.commands.show_reading import show_alternatives, show_readings
from polyrag_cli.types import Answer, LinkedSpan, TableAnswer, TableReading

OTHER = TableAnswer("SELECT COUNT(*) AS count FROM sales", (2,), 2.5)
READING = TableReading(
    operator="aggregate",
    spans=(
        LinkedSpan("croissants", "inflected", "Product", 0.9, ("Croissant",)),
        LinkedSpan("sell", "column", "Units", 0.8),
    ),
    coverage=0.98,
    links=0.2,
    prior=0.96,
    score=3.12,
    confidence=0.66,
    margin=0.41,
    others=(OTHER,),
)
ANSWER = Answer("q", None, "relational", ("relational",), "text_to_sql", False, None, (), (), (), cast(Any, None))


def shown(show: Any, answer: Answer) -> str:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    show(answer, console)
    return cast(io.StringIO, console.file).getvalue()


def test_a_reading_shows_links_score_and_runner_up() -> None:
    lines = shown(show_readings, replace(ANSWER, answer="51", readings=(READING,))).splitlines()
    assert lines[0] == "  read as     aggregate"
    assert lines[1] == "              “croissants” → Product = Croissant (inflected 0.90)"
    assert lines[2] == "              “sell” → Units (column 0.80)"
    assert lines[3] == "  score       2 · coverage 0.98 + links 0.20 + operator 0.96 → 3.12 · confidence 0.66"
    assert lines[4] == "  runner-up   “2” by SELECT COUNT(*) AS count FROM sales · behind by 0.41"


def test_alternatives_are_offered_only_where_nothing_is_answered() -> None:
    left_open = replace(ANSWER, alternatives=(OTHER,))
    assert shown(show_alternatives, left_open) == "  perhaps: “2” by SELECT COUNT(*) AS count FROM sales\n"
    assert shown(show_alternatives, replace(left_open, answer="2")) == ""


def test_figures_are_rounded_and_statements_whole() -> None:
    sql = "SELECT " + ", ".join(f"column_{n}" for n in range(40)) + " FROM sales WHERE YEAR(due) = 2024"
    left_open = replace(ANSWER, alternatives=(TableAnswer(sql, (1536.7800000000097,), 2.5),))
    assert shown(show_alternatives, left_open).replace("\n", "") == f"  perhaps: “1536.78” by {sql}"
