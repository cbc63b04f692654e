"""What `ask` prints: the answer first, then its support, then the decision."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.command_line import Finished

Run = Callable[..., Finished]


def test_a_figure_shows_its_sql(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", "receita total da Barca Velha")
    lines = done.out.splitlines()
    assert lines[0].startswith("4.518,00 ")
    assert lines[1] == ""
    assert lines[2].startswith("  SELECT SUM(receita) FROM travessias WHERE linha = 'Barca Velha'")


def test_a_passage_is_cited_with_file_heading_and_lines(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", "Como tudo começou?")
    lines = done.out.splitlines()
    assert "canoa emprestada" in lines[0] and lines[0].endswith("[1]")
    (cited,) = [line for line in lines if line.startswith("  [1] ")]
    assert "historia.md › O começo" in cited and re.search(r"lines? 5\b", cited)


def test_compound_questions_are_labelled(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", "Qual foi a receita total e como tudo começou?")
    assert done.out.splitlines()[0].startswith("(1) 8.151")
    assert done.out.splitlines()[1].startswith("(2) Tudo começou")
    assert " | " in done.err


def test_a_repeat_says_that_it_is_from_the_cache(polyrag: Run, own_data: Path) -> None:
    first = polyrag("--data", own_data, "ask", "Como tudo começou?")
    again = polyrag("--data", own_data, "ask", "Como tudo começou?")
    assert again.out == first.out
    assert "cached · asked before as “Como tudo começou?”" not in first.err
    assert again.err.startswith("cached · asked before as “Como tudo começou?” (cosine 1.00)")


def test_explain_shows_decision_and_spans(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", "--explain", "Como tudo começou?")
    for words in (
        "winning anchor",
        "tau_low",
        "stage ",
        "strategy ",
        "config ",
        "├ pipeline.router",
        "└ answer.extractive",
    ):
        assert words in done.out


def test_forced_choices_show_in_the_decision(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "balsa", "--route", "vectorial", "--strategy", "lexical")
    assert done.code == 0
    assert done.err.startswith("vectorial · route vectorial and strategy lexical forced · ")
