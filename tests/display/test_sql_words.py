from __future__ import annotations

import pytest

from polyrag_cli.display.sql_words import completions, last_word, quoted, statements

TABLES = {"harvest": ("crop", "tons", "day"), "fields": ("field", "hectares", "select")}


@pytest.mark.parametrize(
    ("text", "done", "begun"),
    [
        ("SELECT 1", [], "SELECT 1"),
        ("SELECT 1;", ["SELECT 1"], ""),
        ("SELECT 1; SELECT 2;\nSEL", ["SELECT 1", "SELECT 2"], "\nSEL"),
        ("SELECT ';' AS a, 'it''s;' AS b;", ["SELECT ';' AS a, 'it''s;' AS b"], ""),
        ('SELECT "a;b";', ['SELECT "a;b"'], ""),
        ("SELECT 1 -- one;\n;", ["SELECT 1 -- one;"], ""),
        ("SELECT /* ; */ 1;", ["SELECT /* ; */ 1"], ""),
        ("SELECT 'open;", [], "SELECT 'open;"),
        ("SELECT 1 /* open;", [], "SELECT 1 /* open;"),
        (";; ;", [], ""),
    ],
)
def test_statements_end_with_a_semicolon_that_stands_in_no_text_and_no_comment(
    text: str, done: list[str], begun: str
) -> None:
    assert statements(text) == (done, begun)


def _words(before: str) -> list[str]:
    return [word for word, _ in completions(before, TABLES)]


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("sel", ['"select"', "SELECT"]),
        ("SELECT ha", ["harvest", "HAVING"]),
        ("SELECT cr", ["crop", "CROSS"]),
        ("SELECT crop FROM ", ["fields", "harvest"]),
        ("SELECT crop FROM h", ["harvest"]),
        ("SELECT crop FROM harvest, f", ["fields"]),
        ("SELECT crop FROM harvest JOIN ", ["fields", "harvest"]),
        ("SELECT crop FROM harvest WHERE t", ["tons", "THEN", "TRUE"]),
        ("SELECT crop FROM harvest WHERE ", ["crop", "tons", "day"]),
        ("SELECT crop FROM harvest AS h WHERE h.", ["crop", "tons", "day"]),
        ("SELECT crop FROM harvest h, fields f WHERE f.h", ["hectares"]),
        (
            "SELECT 1 FROM fields; SELECT crop FROM harvest WHERE d",
            ["day", "DISTINCT", "DESC", "DATE"],
        ),
        ("SELECT crop FROM harvest WHERE x.", []),
        ("SELECT crop FROM harvest WHERE crop = 'h", []),
        ("SELECT crop FROM harvest WHERE crop = 'h' AND t", ["tons", "THEN", "TRUE"]),
        ("SELECT crop -- h", []),
        ("SELECT crop /* h", []),
        ("SELECT crop /* h */ FROM h", ["harvest"]),
        ('SELECT "t', ["tons", "THEN", "TRUE"]),
        ("", []),
    ],
)
def test_what_may_come_next_is_offered_the_likely_kind_first(before: str, words: list[str]) -> None:
    assert _words(before) == words


def test_each_word_says_what_it_is() -> None:
    assert dict(completions("SELECT ha", TABLES)) == {"harvest": "table", "HAVING": "keyword"}
    assert last_word("SELECT h.cro") == "cro"
    assert last_word("SELECT ") == ""


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("crop", "crop"),
        ("Crop_2", "Crop_2"),
        ("2nd", '"2nd"'),
        ("a b", '"a b"'),
        ('a"b', '"a""b"'),
        ("order", '"order"'),
    ],
)
def test_a_name_is_quoted_where_it_must_be(name: str, written: str) -> None:
    assert quoted(name) == written
