from __future__ import annotations

from polyrag_cli.tui.chat.turn_text import MAX_ROWS, rows_lines, sources, turn_content
from polyrag_cli.tui.state import Turn
from polyrag_cli.types import Hit
from tests.tui.turns import CLAUSE, HIT, answer, decision, span


def turn(**changes: object) -> Turn:
    values = {"number": 1, "question": CLAUSE.text, "phase": "answered", "answer": answer(), **changes}
    return Turn(**values)  # type: ignore[arg-type]


def links(content: object) -> list[object]:
    return [span.style.meta["@click"] for span in content.spans if hasattr(span.style, "meta")]  # type: ignore[attr-defined]


def test_an_answer_with_its_sources_in_lines() -> None:
    content = turn_content(turn(lines={1: "lines 12–13"}), 66, cursor=0)
    assert content.plain.split("\n") == [
        "› Which inspection do lots need?",
        "",
        "Lots need an inspection. [1]",
        "",
        "▸ [1] rules.md › Rule RE-3  lines 12–13  0.83",
        "graph 1.52 · final margin 0.97 → evidence: entity “Câmara Lince” · stage 3 (gray) · 14 ms · trace 91d091d0",
    ]
    assert links(content) == [("open_source", (1,)), ("open_source", (1,))]


def test_marks_that_cite_nothing_are_no_links() -> None:
    content = turn_content(turn(answer=answer("See [7] and [1].")), 66)
    assert links(content) == [("open_source", (1,)), ("open_source", (1,))]


def test_markup_and_control_characters_of_documents_do_nothing() -> None:
    hit = Hit("[red]x[/red].md", "c" * 16, "\x1b[31mheading", None, 0, 5, "x", 0.5, "graph")
    content = turn_content(turn(answer=answer("a [bold]b[/bold] \x1b[2J[1]", sources=(hit,))), 80)
    assert "a [bold]b[/bold] [2J[1]" in content.plain
    assert "[red]x[/red].md › [31mheading" in content.plain
    assert "\x1b" not in content.plain


def test_a_figure_stands_above_its_sql_and_rows() -> None:
    table = Hit("sales.csv", "", "", None, 0, 0, "", 1.0, "sql")
    rows = tuple((f"r{n}", n * 1.5) for n in range(25))
    figure = answer("37.5", sql="SELECT a\nFROM t", columns=("name", "total"), rows=rows, sources=(table,))
    lines = turn_content(turn(answer=figure), 66).plain.split("\n")
    assert lines[2:7] == ["37.5", "", "  SELECT a", "  FROM t", "  sales.csv"]
    assert lines[7] == "  name  total"
    assert lines[8:10] == ["  r0        0", "  r1      1.5"]
    assert f"  … {25 - MAX_ROWS} more rows" in lines


def test_one_figure_needs_no_table_of_itself() -> None:
    figure = answer("7", sql="SELECT COUNT(*)", columns=("count",), rows=((7,),), sources=())
    assert "count" not in turn_content(turn(answer=figure), 66).plain.replace("COUNT", "")


def test_rows_fit_into_the_width_and_empty_cells_are_seen() -> None:
    lines = [str(line) for line in rows_lines(("a", "b"), (("x" * 50, None), ("日本語" * 20, 3)), 30)]
    assert all(len(line) <= 32 for line in lines)
    assert "·" in "".join(str(line) for line in rows_lines(("a", "b"), (("x", None),), 30))


def test_nothing_found_is_said_with_the_closest_heading() -> None:
    nothing = turn(answer=answer(None, closest=HIT, sources=()))
    text = turn_content(nothing, 66).plain
    assert "Nothing in this corpus answers that. Closest: rules.md › Rule RE-3 (0.83)." in text
    assert sources(nothing) == [(0, HIT)]
    assert sources(turn(answer=answer(None, sources=()))) == []


def test_an_error_is_one_line_and_says_so() -> None:
    failed = turn(phase="failed", answer=None, error="Nothing is ingested.")
    assert turn_content(failed, 66).plain.split("\n") == [
        "› Which inspection do lots need?",
        "error: Nothing is ingested.",
    ]


def test_a_running_question_names_what_it_does() -> None:
    running = turn(phase="asking", answer=None, decision=decision(), spans=(span(1), span(2, 3.0), span(3)))
    assert turn_content(running, 66).plain.endswith("… span.3")


def test_forced_choices_paths_and_warnings_are_shown() -> None:
    full = turn(route="graph", strategy="dense", answer=answer(path=("A", "B"), warnings=("half of it failed",)))
    text = turn_content(full, 80).plain
    assert "forced: route graph · strategy dense" in text
    assert "path  A → B" in text
    assert "note: half of it failed" in text
