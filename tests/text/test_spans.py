"""Spans without the white space around them."""

from __future__ import annotations

import pytest

from polyrag_cli.text.spans import trimmed


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        (" \n ab c\t", 0, 8, (3, 7)),
        ("xx ação\u00a0\u2003yy", 2, 9, (3, 7)),
        ("ab", 0, 2, (0, 2)),
        ("a \n b", 1, 4, (4, 4)),
        ("ab", 1, 1, (1, 1)),
    ],
)
def test_a_span_loses_its_outer_white_space(text: str, start: int, end: int, expected: tuple[int, int]) -> None:
    assert trimmed(text, start, end) == expected
