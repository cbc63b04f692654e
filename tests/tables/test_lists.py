"""Cells that list several values are told by members that stand alone elsewhere."""

from __future__ import annotations

from polyrag_cli.tables.lists import list_separators


def test_members_that_stand_alone_prove_a_separator() -> None:
    assert list_separators(["Ada Low", "Ada Low and Bo Sand", "Bo Sand", "Cy Reed"]) == (" and ",)
    assert list_separators(["Ana Reis", "Rui Sá", "Ana Reis e Rui Sá"]) == (" e ",)
    assert list_separators(["oak; elm", "elm", "ash; oak", "ash"]) == (";",)
    assert list_separators(["red/blue", "blue", "red", "green/red"]) == ("/",)


def test_members_in_another_place_of_other_lists_prove_it_too() -> None:
    assert list_separators(["oak, elm", "elm, ash", "ash, oak"]) == (",",)


def test_two_separators_of_one_list() -> None:
    assert list_separators(["Ada, Bo and Cy", "Ada", "Bo", "Cy"]) == (",", " and ")


def test_names_with_a_comma_or_a_joint_are_no_lists() -> None:
    assert list_separators(["Low, Ada", "Low, Bo", "Sand, Cy"]) == ()
    assert list_separators(["Rock and Roll", "Rock", "Soul", "Rhythm and Blues"]) == ()
    assert list_separators(["1 Main Street, Ely", "2 Main Street, Ely"]) == ()
    assert list_separators(["3,5", "3", "5"]) == ()
