"""What `ask` prints: the answer first, then its support, then the decision."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.commands.stream_answer import show_events
from polyrag_cli.engine import Engine
from polyrag_cli.types import TokenWritten, answer_of
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
    assert done.out.splitlines()[1].startswith("(2) O começo: Tudo começou")
    first, second = done.err.splitlines()
    assert first.startswith("(1) relational ") and second.startswith("(2) vectorial ") and " · trace " in second


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
    assert re.match(
        r"vectorial \d\.\d\d+ · final margin -?\d\.\d\d+ · route vectorial and strategy lexical forced · ", done.err
    )


def test_a_question_that_a_failed_store_leaves_open_is_no_finding_nothing(polyrag: Run, own_data: Path) -> None:
    for file in (own_data / "tables").glob("*.parquet"):
        file.unlink()
    done = polyrag("--data", own_data, "ask", "Qual foi a receita total?")
    assert done.code == 3
    assert done.out.startswith("Not answered, as a store failed: ") and "is gone." in done.out
    answer = json.loads(polyrag("--data", own_data, "ask", "--json", "Qual foi a receita total?").out)
    assert answer["answer"] is None
    assert len(answer["degraded"]) == 1 and answer["degraded"][0].endswith("is gone.")
    # What another store answers is an answer.
    half = polyrag("--data", own_data, "ask", "--json", "Qual foi a receita total e como tudo começou?")
    assert (half.code, len(json.loads(half.out)["degraded"])) == (0, 1)
    assert polyrag("--data", own_data, "ask", "Who painted the Xyzzy?").code == 1


def test_an_empty_corpus_answers_nothing_and_is_no_error(polyrag: Run, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    data = tmp_path / "data"
    assert polyrag("--data", data, "ask", "Como tudo começou?").failed(3)
    ingested = polyrag("--data", data, "ingest", tmp_path / "nothing")
    assert (ingested.code, ingested.err.split(".")[0]) == (0, "Nothing was found to read there")
    assert ".csv" in ingested.err and ".md" in ingested.err
    asked = polyrag("--data", data, "ask", "Como tudo começou?")
    assert (asked.code, asked.out) == (1, "Nothing in this corpus answers that.\n")
    assert "note: this corpus holds no document yet" in asked.err
    assert polyrag("--data", data, "ask", "--json", "Como tudo começou?").json["degraded"] == []
    assert polyrag("--data", data, "search", "balsa").code == 1
    routed = polyrag("--data", data, "route", "--json", "Qual foi a receita total?")
    assert (routed.code, [clause["answerable"] for clause in routed.json["clauses"]]) == (0, [False])
    assert polyrag("--data", data, "ask", "2 + 3").out.startswith("2 + 3 = 5")


def test_a_stream_prints_the_decision_before_the_answer(polyrag: Run, own_data: Path) -> None:
    plain = polyrag("--data", own_data, "ask", "--no-cache", "Como tudo começou?")
    done = polyrag("--data", own_data, "ask", "--no-cache", "--stream", "Como tudo começou?")
    assert (done.code, done.out) == (0, plain.out)
    decision, last = done.err.splitlines()
    assert plain.err.startswith(decision) and len(decision) > 10
    assert re.fullmatch(r"[\d.]+ m?s · trace [0-9a-f]{8}", last)
    polyrag("--data", own_data, "ask", "Como tudo começou?")
    cached = polyrag("--data", own_data, "ask", "--stream", "Como tudo começou?")
    assert cached.err.startswith("cached · asked before as")
    nothing = polyrag("--data", own_data, "ask", "--stream", "Who painted the Xyzzy?")
    assert (nothing.code, nothing.out.split(".")[0]) == (1, "Nothing in this corpus answers that")


def test_a_stream_of_json_is_an_event_a_line(polyrag: Run, own_data: Path) -> None:
    plain = json.loads(polyrag("--data", own_data, "ask", "--no-cache", "--json", "Como tudo começou?").out)
    done = polyrag("--data", own_data, "ask", "--no-cache", "--stream", "--json", "Como tudo começou?")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert [events[0]["event"], events[-1]["event"]] == ["span_started", "answer_ready"]
    (decision,) = [event["decision"] for event in events if event["event"] == "decision_made"]
    assert events[-1]["answer"]["decision"] == decision
    assert (events[-1]["answer"]["answer"], decision["question"]) == (plain["answer"], "Como tudo começou?")


def test_a_text_that_is_written_bit_by_bit_is_printed_once(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    events = list(engine.ask_events("Como tudo começou?", use_cache=False))
    answer = answer_of(events)
    assert answer.answer is not None
    written = [TokenWritten(part) for part in re.findall(r"\S+\s*", answer.answer)]
    shown = show_events([*events[:-1], *written, events[-1]], engine.lined_text)
    assert next(event for event in shown if isinstance(event, TokenWritten)) == written[0]
    assert capsys.readouterr().out == written[0].text
    assert answer_of(shown) is answer
    rest = capsys.readouterr().out
    assert rest.startswith("".join(token.text for token in written[1:]) + "\n")
    assert rest.count("canoa") == answer.answer.count("canoa")
