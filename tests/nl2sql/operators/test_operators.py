"""The list of operators."""

from __future__ import annotations

from pathlib import Path

import polyrag_cli.nl2sql.operators as package
from polyrag_cli.nl2sql.operators import operators


def test_each_file_of_the_package_is_an_operator() -> None:
    files = sorted(path.stem for path in Path(package.__file__).parent.glob("[!_]*.py"))
    assert [operator.name for operator in operators()] == files
