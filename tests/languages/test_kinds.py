"""What each kind of value accepts, keeps and makes of several languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from polyrag_cli.languages.kinds import AS_WRITTEN, WrongValueError, kind_of
from polyrag_cli.text.fold import fold

Phrases = tuple[tuple[str, ...], ...]


def made(annotation: Any, raw: Any) -> Any:
    kind, folded = kind_of(annotation)
    return kind.value(json.loads(json.dumps(kind.plain(raw, fold if folded else str))))


@pytest.mark.parametrize(
    ("annotation", "raw", "value"),
    [
        (frozenset[str], "Três às", frozenset({"tres", "as"})),
        (frozenset[str], ["é", "e"], frozenset({"e"})),
        (Annotated[frozenset[str], AS_WRITTEN], "M mi", frozenset({"M", "mi"})),
        (Phrases, ["how many", "número de"], (("how", "many"), ("numero", "de"))),
        (tuple[frozenset[str], ...], ["março mar", "abril"], (frozenset({"marco", "mar"}), frozenset({"abril"}))),
        (Mapping[str, int], {"dúzia": 12}, {"duzia": 12}),
        (Mapping[str, int], {"1": "um uma", "2": ["dois"]}, {"um": 1, "uma": 1, "dois": 2}),
        (Mapping[str, str], {"não": "Nein"}, {"nao": "Nein"}),
        (Mapping[str, frozenset[str]], {"Größe": "groß"}, {"Größe": frozenset({"gross"})}),
        (Mapping[str, Phrases], {"count": ["how many"]}, {"count": (("how", "many"),)}),
        (tuple[str, ...], ["São Paulo"], ("São Paulo",)),
        (str, "Ä", "Ä"),
        (int, 3, 3),
        (bool, False, False),
    ],
)
def test_a_kind_makes_its_value_of_what_toml_holds(annotation: Any, raw: Any, value: Any) -> None:
    assert made(annotation, raw) == value


@pytest.mark.parametrize(
    ("annotation", "raw", "told"),
    [
        (frozenset[str], 3, "words in one text"),
        (frozenset[str], ["how many"], "single words"),
        (frozenset[str], "a b a", "twice there: a"),
        (Phrases, "how many", "a list of texts"),
        (Phrases, [" "], "empty"),
        (tuple[frozenset[str], ...], "a", "list of texts"),
        (Mapping[str, int], {"a": "b"}, "must be a word with its number"),
        (Mapping[str, int], {"1": "a", "2": "á"}, "'a' stands for 1 and for 2"),
        (Mapping[str, int], [], "a table"),
        (Mapping[str, str], {"a": 1}, "table of texts"),
        (Mapping[str, frozenset[str]], {"size": 1}, "size: words in one text"),
        (tuple[str, ...], "a", "list of texts"),
        (int, True, "whole number"),
        (bool, 1, "true or false"),
    ],
)
def test_a_kind_refuses_what_it_cannot_hold(annotation: Any, raw: Any, told: str) -> None:
    with pytest.raises(WrongValueError, match=told):
        made(annotation, raw)


@pytest.mark.parametrize(
    ("annotation", "values", "value"),
    [
        (frozenset[str], [frozenset("a"), frozenset("b")], frozenset("ab")),
        (Phrases, [(("a",), ("b",)), (("b",), ("c",))], (("a",), ("b",), ("c",))),
        (tuple[frozenset[str], ...], [(frozenset("a"),), (frozenset("b"), frozenset("c"))], (set("ab"), set("c"))),
        (Mapping[str, int], [{"a": 1}, {"a": 2, "b": 3}], {"a": 1, "b": 3}),
        (Mapping[str, frozenset[str]], [{"x": frozenset("a")}, {"x": frozenset("b")}], {"x": set("ab")}),
        (str, [",", "."], ""),
        (str, [",", ","], ","),
        (bool, [True, False], False),
        (bool, [True, True], True),
    ],
)
def test_a_kind_joins_what_languages_say(annotation: Any, values: Any, value: Any) -> None:
    assert kind_of(annotation)[0].joined(values) == value


def test_what_is_no_kind_is_told() -> None:
    with pytest.raises(TypeError, match="no kind of value"):
        kind_of(list[int])
