"""Settings in words."""

from __future__ import annotations

import pytest

from polyrag_cli.display.settings import mark, origin_text, value_text


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("cache.enabled", True, "true"),
        ("cache.enabled", False, "false"),
        ("answer.top_k", 1, "1"),
        ("cache.min_cosine", 0.5, "0.5"),
        ("routes.a.strategy", "", '""'),
        ("embedder.name", "hashing", "hashing"),
        ("routes.a.anchors.question.en", ["Who?"], "1 sentence"),
        ("routes.a.anchors.question.en", ["Who?", "Why?"], "2 sentences"),
        ("gate.sets", [], "[]"),
        ("gate.sets", ["a.yaml", "b.yaml"], '["a.yaml", "b.yaml"]'),
    ],
)
def test_values_are_as_toml_writes_them(key: str, value: object, shown: str) -> None:
    assert value_text(key, value) == shown


def test_the_file_that_is_named_elsewhere_has_its_name_alone() -> None:
    assert origin_text("polyrag.toml: /a/polyrag.toml", "/a/polyrag.toml") == "polyrag.toml"
    assert origin_text("polyrag.toml: /b/polyrag.toml", "/a/polyrag.toml") == "polyrag.toml: /b/polyrag.toml"
    assert origin_text("environment: POLYRAG_X", None) == "environment: POLYRAG_X"
    assert origin_text("default", None) == "default"


def test_what_differs_has_a_sign() -> None:
    assert (mark(True), mark(False)) == ("*", " ")
