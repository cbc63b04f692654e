"""What single values may be."""

import pytest

from polyrag_cli.config import values
from polyrag_cli.config.declare import Declaration
from polyrag_cli.config.values import check_value, coerce, nearest, parse_text
from polyrag_cli.errors import ConfigError


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
    assert nearest("x", []) == "–"


def test_a_number_is_held_to_its_bounds_and_they_are_within() -> None:
    share, count = Declaration(0.5, "", low=0, high=1), Declaration(3, "", low=1)
    for value, declared in ((0, share), (1, share), (1, count), (10**9, count)):
        check_value(value, declared, "k", "f")
    for value, declared, words in (
        (-0.01, share, "from 0 to 1"),
        (1.01, share, "from 0 to 1"),
        (0, count, "at least 1"),
    ):
        with pytest.raises(ConfigError, match=f"f: k = {value} is impossible. It must be {words}"):
            check_value(value, declared, "k", "f")


def test_a_name_is_one_of_the_choices() -> None:
    declared = Declaration("red", "", choices=lambda: ("green", "red"))
    check_value("green", declared, "k", "f")
    with pytest.raises(ConfigError, match=r"f: k = 'grean' is not known. Nearest: 'green' \(of green, red\)"):
        check_value("grean", declared, "k", "f")


def test_a_name_that_another_package_registers_is_a_choice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = Declaration("red", "", choices=lambda: ("red",), kind="colour")
    monkeypatch.setattr(values, "known", lambda kind: ("blue", "red") if kind == "colour" else ())
    check_value("blue", declared, "k", "f")
    with pytest.raises(ConfigError, match=r"Nearest: 'blue' \(of red, blue\)"):
        check_value("blu", declared, "k", "f")
    with pytest.raises(ConfigError, match=r"\(of red\)"):
        check_value("blue", declared._replace(kind=""), "k", "f")
