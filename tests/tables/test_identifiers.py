from __future__ import annotations

from polyrag_cli.tables.identifiers import MAX_LENGTH, identifier, unique_identifiers


def test_other_scripts_fall_back() -> None:
    assert identifier("価格", "column_2") == "column_2"
    assert identifier("Ünïcode  Näme!", "c") == "unicode_name"


def test_long_names_are_cut_and_stay_unique() -> None:
    names = unique_identifiers(["x" * 200, "x" * 200], "column")
    assert names[0] == "x" * MAX_LENGTH
    assert names[1].endswith("_2")
    assert len(names[1]) <= MAX_LENGTH


def test_a_suffix_that_is_taken_is_passed_over() -> None:
    assert unique_identifiers(["a", "a_2", "a"], "column") == ("a", "a_2", "a_3")
