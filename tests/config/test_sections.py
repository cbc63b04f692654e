"""Every setting is declared whole: a type that its default has, bounds or names, and a meaning that fits a line."""

from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from polyrag_cli.config import sections
from polyrag_cli.config.declare import Decides, Declaration
from polyrag_cli.config.sections import DECLARED, ROUTES, SECTIONS, RoutingSettings
from polyrag_cli.config.settings import Settings
from polyrag_cli.config.values import check_value

EVERY = [(f"{section}.{name}", told) for section, settings in DECLARED.items() for name, told in settings.items()]


@pytest.mark.parametrize(("key", "declared"), EVERY, ids=[key for key, _ in EVERY])
def test_a_setting_is_declared_whole(key: str, declared: Declaration) -> None:
    assert declared.meaning.endswith((".", "?")) and "\n" not in declared.meaning
    assert len(f"# {declared.meaning}") <= 120
    assert declared.decides in get_args(Decides)
    numeric = type(declared.default) in (int, float)
    assert numeric == (declared.low is not None) == (declared.high is not None)
    # An absent strategy and store of a route are told by the store, and refused.
    if declared.default != "":
        check_value(declared.default, declared, key, "default")


@pytest.mark.parametrize("name", SECTIONS)
def test_defaults_have_the_types_that_are_declared(name: str) -> None:
    kind = SECTIONS[name].settings
    types = get_type_hints(kind)
    declared = [field for field in fields(kind) if field.name in DECLARED[name]]
    assert declared and all(_is(field.default, types[field.name]) for field in declared)


def _is(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(isinstance(part, get_args(kind)[0]) for part in value)
    return type(value) is kind or isinstance(value, Path)


def test_settings_hold_every_section() -> None:
    assert {field.name for field in fields(Settings)} == {*SECTIONS, "file", "origins", "values"}


def test_what_works_with_settings_by_itself_has_the_defaults_of_the_configuration(tmp_path: Path) -> None:
    settings = Settings.load(environ={}, start=tmp_path)
    for name, section in SECTIONS.items():
        if name not in (ROUTES, "paths"):
            assert getattr(settings, name) == section.settings(), name


def test_every_routing_key_is_known_to_decide_homes_or_only_questions() -> None:
    """A key that passages' homes depend on must not be left out of the hash: moving it would change nothing."""
    source = (Path(sections.__file__).parents[1] / "routing" / "chunk_homes.py").read_text(encoding="utf-8")
    read = {field.name for field in fields(RoutingSettings) if f"settings.{field.name}" in source}
    assert read == {name for name, declared in DECLARED["routing"].items() if declared.decides == "homes"}
