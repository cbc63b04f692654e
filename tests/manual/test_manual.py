"""Tests of the manual: its chapters, and the command that shows them."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.resources import files

import pytest

from polyrag_cli.errors import UsageError
from polyrag_cli.manual import TOPICS, chapter, chapters
from tests.command_line import Finished

Run = Callable[..., Finished]


def test_every_chapter_has_a_title_and_a_sentence_of_what_it_is_about() -> None:
    for each in chapters():
        assert each.text.startswith(f"# {each.title}\n\n{each.summary[:20]}")
        assert each.summary.endswith("."), each.topic
        assert len(each.summary) < 130, each.topic


def test_every_markdown_file_of_the_package_is_a_chapter() -> None:
    names = sorted(f.name for f in files("polyrag_cli.manual").iterdir() if f.name.endswith(".md"))
    assert names == sorted(f"{topic}.md" for topic in TOPICS)


def test_a_topic_is_found_in_any_case_and_an_unknown_one_names_the_nearest() -> None:
    assert chapter(" Routing ").topic == "routing"
    with pytest.raises(UsageError, match="Nearest: routing"):
        chapter("rooting")


def test_in_a_pipe_a_chapter_is_plain_markdown(polyrag: Run) -> None:
    done = polyrag("manual", "tables")
    assert done.code == 0
    assert done.out == (files("polyrag_cli.manual") / "tables.md").read_text(encoding="utf-8")


def test_without_a_topic_all_are_listed_in_reading_order(polyrag: Run) -> None:
    assert [line.split()[0] for line in polyrag("manual").out.splitlines()] == list(TOPICS)
    assert [c["topic"] for c in polyrag("manual", "--json").json["chapters"]] == list(TOPICS)


def test_an_unknown_topic_is_one_line_and_exit_code_2(polyrag: Run) -> None:
    done = polyrag("manual", "nothing")
    assert "no chapter 'nothing'" in done.failed(2)


def test_on_a_terminal_a_chapter_is_rendered_and_paged(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    from polyrag_cli.commands import show_manual

    paged: list[str] = []
    monkeypatch.setattr(show_manual, "console", lambda: Console(file=io.StringIO(), force_terminal=True, width=200))
    monkeypatch.setattr(show_manual, "_page", paged.append)
    show_manual.show_chapter(chapter("routing"))
    assert "Three stages" in paged[0]
    assert "##" not in paged[0]
    assert max(len(line) for line in paged[0].splitlines() if "\x1b" not in line) <= 100
