"""A conversation as Markdown."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.tui.shell.transcript import MAX_ROWS, markdown
from polyrag_cli.tui.state import State, Turn
from tests.tui.turns import answer, decision


def test_a_turn_has_its_answer_sources_and_decision() -> None:
    given = answer()
    text = markdown(
        State((Turn(1, given.question, route="graph", phase="answered", answer=given, decision=decision()),))
    )
    assert text.startswith("# PolyRAG: a conversation\n\n## Which inspection do lots need?\n\nForced: route graph.\n")
    assert "\n> Lots need an inspection. [1]\n" in text
    assert "- [1] rules.md › Rule RE-3 · 0.83" in text
    assert "14 ms · trace 91d091d091d091d0" in text
    assert (
        "| graph | cosine 0.58 + evidence 0.94 = 1.52 | which rule depends on another? | entity Câmara Lince |" in text
    )
    assert "margin 0.03 &lt; delta 0.08: gray · tau_low 0.35 · tau_high 0.45" in text
    assert "stage 3 · store evidence" in text and "generation 12" in text


def test_rows_and_sql_are_written_out_and_bounded() -> None:
    rows = tuple((f"a|{n}", n, 7310.969999999999 if n == 1 else None) for n in range(MAX_ROWS + 5))
    given = replace(answer("5"), sql="SELECT '```'", columns=("name", "n", "x"), rows=rows)
    text = markdown(State((Turn(1, "q?", phase="answered", answer=given),)))
    # A fence that the statement can't end.
    assert "````sql\nSELECT '```'\n````" in text
    assert "| a\\|1 | 1 | 7310.97 |" in text
    assert "| a\\|0 | 0 |  |" in text and f"| {MAX_ROWS - 1} |" in text and f"| {MAX_ROWS} |" not in text
    assert "… and 5 more rows" in text


def test_what_failed_or_runs_still_says_so() -> None:
    turns = (Turn(1, "a?", phase="failed", error="no such\nroute"), Turn(2, "b?"))
    text = markdown(State(turns))
    assert "## a?\n\nFailed: no such route\n" in text
    assert "## b?\n\nNo answer yet.\n" in text


def test_a_document_can_put_nothing_live_into_it() -> None:
    evil = "<script>x</script> ![p](http://x.example/p) [l](http://x.example) [m][r] \x1b[31mred\x07"
    given = replace(answer(f"{evil} [1]"), warnings=(evil,), path=(evil, evil))
    text = markdown(State((Turn(1, evil, phase="answered", answer=given, error=""),)))
    for live in ("<script", "![p]", "](http", "][r]", "\x1b", "\x07"):
        assert live not in text
