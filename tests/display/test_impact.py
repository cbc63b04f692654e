"""What changed settings change, in words."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.display.impact import counts_by_move, pending_lines, verdict
from polyrag_cli.types import ChunkMove, ImpactReport, PendingImpact, QuestionMove

MOVE = ChunkMove("a", "d.md", "Heading", ("graph",), ("vectorial", "graph"), 0.1, 0.01, 0.01, 0, 1, 2)
ASKED = QuestionMove("who?", ("graph",), ("nothing",), 0.2, 0.1, ("graph",), True, False, lost=True)


def test_the_moves_are_counted_by_way() -> None:
    second = replace(MOVE, new=("graph", "vectorial"))
    back = replace(MOVE, old=("vectorial",), new=("graph",))
    assert dict(counts_by_move([back, MOVE, second, MOVE])) == {("graph", "vectorial"): 2, ("vectorial", "graph"): 1}


def test_an_ingest_under_other_settings_says_what_moves() -> None:
    report = ImpactReport(7, (MOVE,), questions=3, changed_questions=(ASKED,), declined=1)
    pending = PendingImpact(report, 2, ("router.delta 0.25 → 0.30",), from_sets=True)
    assert pending_lines(pending, dry_run=False) == [
        "changed since the last ingest: router.delta 0.25 → 0.30:",
        "  1 of 7 chunks changes home (graph → vectorial 1); 1 of 3 questions changes route;"
        " 1 answerable question would be declined",
        "    “who?”  graph → nothing  right → lost",
        "  polyrag ingest --dry-run lists such changes before anything is applied",
    ]
    assert "    d.md › Heading, passage 1, lines 1–2  graph → vectorial+graph" in pending_lines(pending, dry_run=True)


def test_a_comparison_that_was_skipped_says_why() -> None:
    pending = PendingImpact(ImpactReport(0), 3, noted=False, skipped="too many passages")
    head, why = pending_lines(pending, dry_run=False)
    assert head == "3 files were ingested under other settings or by another version; which wasn't noted:"
    assert why == "  too many passages"


def test_a_label_is_told_only_where_it_changes() -> None:
    assert verdict(replace(ASKED, lost=False, right_after=True, new=("graph",))) == "right"
    assert verdict(replace(ASKED, right_before=None, right_after=None, lost=False)) == ""
