"""An answer's parts in words: places, lines, cited sources, what is said when nothing was found."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.display.answers import cited, lines_of, nothing_found, place, summary
from polyrag_cli.types import Answer, Hit, LinedText, RouteDecision


def hit(start: int, end: int, quotes: tuple[tuple[int, int], ...] = (), page: int | None = None) -> Hit:
    return Hit("a.md", "id", "Head", page, start, end, "text", 1.0, "dense", quotes)


def answer(text: str | None, sources: tuple[Hit, ...] = (), closest: Hit | None = None, cached: bool = False) -> Answer:
    return Answer(
        question="Why?",
        answer=text,
        route="vectorial",
        routes=("vectorial",),
        strategy="hybrid",
        cached=cached,
        sql=None,
        columns=(),
        rows=(),
        sources=sources,
        decision=RouteDecision("Why?", (), "c0ffee", 3),
        trace_id="0123456789abcdef",
        took_ms=4.04,
        closest=closest,
        matched_question="Why so?",
        matched_cosine=0.914,
    )


def test_lines_are_counted_from_one() -> None:
    text = LinedText("one\ntwo\nthree\nfour\n")
    assert lines_of(hit(0, 3), text) == "line 1"
    assert lines_of(hit(0, 4), text) == "line 1"
    assert lines_of(hit(4, 13), text) == "lines 2–3"
    assert lines_of(hit(0, 18, ((14, 18),)), text) == "line 4"


def test_lines_are_those_of_the_source() -> None:
    text = LinedText("one\ntwo\nthree\nfour\n", ((0, 4), (2, 10)))
    assert lines_of(hit(0, 7), text) == "lines 5–6"
    assert lines_of(hit(4, 13), text) == "lines 6–11"
    assert lines_of(hit(14, 18), text) == "line 12"


def test_a_place_names_page_and_heading() -> None:
    assert place(hit(0, 1, page=3)) == "a.md p. 3 › Head"


def test_only_sources_that_the_answer_marks_are_cited_each_once() -> None:
    first, second = hit(0, 1), hit(1, 2)
    assert cited(answer("B. [2] A. [1] B again. [2] Nobody's. [7]", (first, second))) == [(1, first), (2, second)]
    assert cited(answer(None, (first,))) == []


def test_nothing_found_names_the_closest_heading() -> None:
    assert nothing_found(answer(None)) == "Nothing in this corpus answers that."
    assert nothing_found(answer(None, closest=hit(0, 1))).endswith("Closest: a.md › Head (1.00).")


def test_what_the_closest_passage_lacks_is_named_up_to_four_words() -> None:
    said = nothing_found(replace(answer(None, closest=hit(0, 1)), lacking=("steak", "pan", "rare", "cook", "medium")))
    assert said.endswith("Closest: a.md › Head (1.00); it lacks “steak”, “pan”, “rare”, “cook”.")


def test_a_long_word_that_is_lacking_is_cut() -> None:
    said = nothing_found(replace(answer(None, closest=hit(0, 1)), lacking=("x" * 20_000, "y" * 30)))
    assert said.endswith(f"it lacks “{'x' * 29}…”, “{'y' * 30}”.")


def test_a_cached_answer_names_the_question_that_was_asked_before() -> None:
    said = summary(answer("Because.", cached=True))
    assert said == "cached · asked before as “Why so?” (cosine 0.91) · 4.0 ms · trace 01234567"
