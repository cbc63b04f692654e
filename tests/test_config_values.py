"""What single values may be."""

import tomllib

import pytest

from polyrag_cli.config import DEFAULT_FILE
from polyrag_cli.config_values import RANGES, coerce, nearest, parse_text
from polyrag_cli.errors import ConfigError


def test_every_number_among_the_defaults_has_a_range() -> None:
    defaults = tomllib.loads(DEFAULT_FILE.read_text(encoding="utf-8"))
    numbers = {
        f"{section}.{key}"
        for section, table in defaults.items()
        if section != "routes"
        for key, value in table.items()
        if type(value) in (int, float)
    }
    assert numbers <= set(RANGES)


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("False", False), ("3", 3), ("0.5", 0.5), ("use-m3", "use-m3"), ("", "")]
)
def test_text_becomes_the_value_that_it_looks_like(text: str, value: object) -> None:
    parsed = parse_text(text)
    assert parsed == value
    assert type(parsed) is type(value)


def test_an_integer_may_stand_for_a_number_and_nothing_else_is_converted() -> None:
    assert coerce(1, 0.5, "k", "f") == 1.0
    for value, like in ((1.5, 1), ("1", 1), (1, True), (1, "x"), (None, "x"), ("x", ["y"])):
        with pytest.raises(ConfigError):
            coerce(value, like, "k", "f")


def test_nearest_is_the_name_that_looks_most_alike() -> None:
    assert nearest("embeder", ["answer", "embedder", "cache"]) == "embedder"
    assert nearest("", ["b", "a"]) in ("a", "b")
