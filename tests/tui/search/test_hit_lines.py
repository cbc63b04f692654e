from __future__ import annotations

from dataclasses import replace

from polyrag_cli.tui.search.hit_lines import HIT_LINES, heads_line, hit_lines, passage_text
from polyrag_cli.types import HeadScore, Hit

HEADS = (HeadScore("dense", 0.71, 1, 0.5), HeadScore("lexical", 5.2, 3, 0.125), HeadScore("soft", 2.0, 2, 0.0))
HIT = Hit("a.md", "c", "Cais", None, 10, 60, "Antes. [b]A balsa sai cedo[/b].", 0.7, "dense", ((17, 40),), HEADS)


def test_the_bars_of_the_heads_add_up_and_what_is_left_is_the_home_bonus() -> None:
    assert heads_line(HIT, 110) == "  dense ████████ 0.71 #1  lexical ██ 5.20 #3  soft · 2.00 #2  home +0.07"


def test_one_head_has_no_bonus_and_no_heads_leave_the_source() -> None:
    alone = Hit("a.md", "c", "", None, 0, 5, "Texto", 0.9, "graph", (), (HeadScore("graph", 0.8, 1, 0.8),))
    assert heads_line(alone, 60) == "  graph ██████▍ 0.80 #1"
    assert heads_line(Hit("a.md", "c", "", None, 0, 5, "Texto", 0.9, "sql"), 60) == "  sql"


def test_four_heads_fit_into_a_narrow_line_and_what_does_not_is_cut_with_its_spaces_kept() -> None:
    names = (("graph", 0.4), ("dense", 0.25), ("lexical", 0.05), ("soft", 0.15))
    hit = replace(
        HIT, score=0.85, source="graph+dense+lexical+soft", heads=tuple(HeadScore(n, 1.5, 1, p) for n, p in names)
    )
    line = heads_line(hit, 80)
    assert line == "  graph ███▎ 1.50 #1  dense ██ 1.50 #1  lexical ▍ 1.50 #1  soft █▎ 1.50 #1"
    assert heads_line(replace(hit, score=0.9), 80) == f"{line}  hom…"
    assert len(heads_line(replace(hit, score=0.9), 102)) <= 102 and "home" in heads_line(replace(hit, score=0.9), 102)


def test_a_hit_begins_at_its_best_sentence_and_takes_the_lines_it_says() -> None:
    assert passage_text(HIT) == "… [b]A balsa sai cedo[/b]."
    lines = hit_lines(HIT, 3, 60)
    assert len(lines) == HIT_LINES
    assert lines[0].plain.startswith("3 a.md › Cais") and lines[0].plain.endswith("0.70")
    assert "[b]A balsa" in lines[1].plain
