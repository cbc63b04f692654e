"""The types are to be had of their package by name, each from the file that type checkers are told of."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

import polyrag_cli.types as types

TREE = ast.parse(Path(types.__file__ or "").read_text(encoding="utf-8"))
TOLD = {
    alias.name: node.module
    for node in ast.walk(TREE)
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("polyrag_cli.types.")
    for alias in node.names
}


def test_each_name_is_that_of_the_file_that_type_checkers_are_told_of() -> None:
    assert set(TOLD) == set(types._HOMES)
    for name, module in TOLD.items():
        assert getattr(types, name) is getattr(import_module(str(module)), name)


def test_no_name_is_that_of_a_file() -> None:
    # Importing the file would put it in the name's place.
    assert set(types._HOMES) & set(types._HOLDS) == set()


def test_any_other_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        types.Nothing  # noqa: B018 - asking for it is the test
