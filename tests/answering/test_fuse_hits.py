"""Passages of two strategies as one list: fused scores, and what every head said of each."""

from __future__ import annotations

from polyrag_cli.answering.answerer import fuse_hits
from polyrag_cli.types import HeadScore, Hit


def hit(chunk_id: str, score: float, *heads: HeadScore) -> Hit:
    return Hit("a.md", chunk_id, "", None, 0, 1, "x", score, "text", heads=heads)


def test_a_passage_of_both_lists_keeps_what_both_said() -> None:
    walked = HeadScore("graph", 0.9, 1, 0.9)
    dense, again = HeadScore("dense", 0.7, 2, 0.5), HeadScore("graph", 0.1, 9, 0.1)
    fused = fuse_hits(
        ([hit("one", 0.9, walked), hit("two", 0.5)], [hit("one", 0.7, dense, again), hit("three", 0.2)]), (0.6, 0.4)
    )
    assert [(h.chunk_id, h.heads) for h in fused] == [("one", (walked, dense)), ("three", ()), ("two", ())]
    # Min-max in each list: one is best in both, the others are worst in theirs.
    assert [h.score for h in fused] == [1.0, 0.0, 0.0]
