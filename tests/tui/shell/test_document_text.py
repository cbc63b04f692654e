from __future__ import annotations

import pytest
from rich.cells import cell_len

from polyrag_cli.tui.shell.document_text import wrapped
from polyrag_cli.types import LinedText


@pytest.mark.parametrize("width", [8, 13, 40])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "one",
        "one two three four five six",
        "a" * 100,
        "日本語の文章" * 9,
        "x\n\ny " * 7,
        "tab\tand é́ 👩‍🚀 " * 5,
        "  \n ",
    ],
)
def test_every_character_stands_on_one_line_that_fits(text: str, width: int) -> None:
    lines = wrapped(LinedText(text), width)
    assert "".join(text[line.start : line.end] for line in lines) == text.replace("\n", "")
    assert all(cell_len(text[line.start : line.end].rstrip()) <= width for line in lines)
    assert [line.number for line in lines if line.number] == list(range(1, text.count("\n") + 2))


def test_lines_break_at_spaces() -> None:
    text = "alpha beta gamma"
    assert [text[line.start : line.end] for line in wrapped(LinedText(text), 11)] == ["alpha beta ", "gamma"]
