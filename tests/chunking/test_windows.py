"""Windows of two sentences, and pieces of endless ones."""

import time

from polyrag_cli.chunking.windows import chunk_sentences, pieces, sentence_spans, window_ranges, windows
from polyrag_cli.types import BlockKind, Chunk


def chunk(text: str, start: int = 0, kind: BlockKind = "paragraph") -> Chunk:
    return Chunk("c", "d", 0, start, start + len(text), text, kind=kind)


def test_n_sentences_give_n_minus_one_windows() -> None:
    found = windows(chunk("One is here. Two is here. Three is here.", start=100))
    assert [(window.ordinal, window.text) for window in found] == [
        (0, "One is here. Two is here."),
        (1, "Two is here. Three is here."),
    ]
    assert [(window.start, window.end) for window in found] == [(100, 125), (113, 140)]


def test_one_sentence_gives_one_window() -> None:
    assert [window.text for window in windows(chunk("Only one."))] == ["Only one."]
    assert window_ranges(0) == []


def test_lines_are_the_sentences_of_a_table() -> None:
    text = "| a | b |\n|---|---|\n| 1. x | 2 |"
    assert [text[start:end] for start, end in chunk_sentences(chunk(text, kind="table"))] == text.split("\n")


def test_long_sentences_are_cut_at_words() -> None:
    text = "word " * 400 + "end"
    spans = chunk_sentences(chunk(text))
    assert max(end - start for start, end in spans) <= 600
    assert " ".join(text[start:end] for start, end in spans) == text


def test_pieces_without_white_space_are_cut_anywhere() -> None:
    assert pieces("x" * 25, 0, 25, 10) == [(0, 10), (10, 20), (20, 25)]
    assert pieces("", 0, 0, 10) == []


def test_an_endless_line_takes_linear_time() -> None:
    started = time.process_time()
    spans = sentence_spans("lorem ipsum " * 100_000)
    assert sum(end - start for start, end in spans) > 1_190_000
    assert time.process_time() - started < 60
