"""The polyrag.toml that `init` writes: every default, each under its meaning."""

import tomllib

import pytest

from polyrag_cli.config.sections import DECLARED, ROUTES
from polyrag_cli.config.template import literal, polyrag_toml
from polyrag_cli.config.tree import defaults
from tests.command_line import ROOT


def test_the_file_at_the_top_is_the_one_that_is_written() -> None:
    """After a change of a declaration or of config/routes.toml: polyrag init --force."""
    assert (ROOT / "polyrag.toml").read_text(encoding="utf-8") == polyrag_toml()


def test_it_says_the_defaults_and_nothing_else() -> None:
    assert tomllib.loads(polyrag_toml()) == defaults()


def test_each_setting_stands_under_its_meaning() -> None:
    lines = polyrag_toml().splitlines()
    for section, settings in DECLARED.items():
        for name, declared in settings.items():
            if section == ROUTES:
                assert f"# {name}: {declared.meaning}" in lines
            else:
                at = lines.index(f"{name} = {literal(declared.default)}", lines.index(f"[{section}]"))
                assert lines[at - 1] == f"# {declared.meaning}"
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("value", [True, False, 3, 0.25, 1.0, "", 'a "b" \\ ü', [], ["x", "y z"]])
def test_values_are_read_as_they_were(value: object) -> None:
    (read,) = tomllib.loads(f"key = {literal(value)}").values()
    assert read == value and type(read) is type(value)
