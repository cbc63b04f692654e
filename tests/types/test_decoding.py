from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from polyrag_cli.types import (
    Answer,
    ChunkRoute,
    ClauseDecision,
    Column,
    Evidence,
    Hit,
    RouteDecision,
    RouteScore,
    SpanRecord,
    TableSchema,
    as_json,
)
from polyrag_cli.types.decoding import decoded


@dataclass(frozen=True)
class _Part:
    name: str
    weight: float = 1.0


@dataclass(frozen=True)
class _Whole:
    kind: Literal["a", "b"]
    parts: tuple[_Part, ...]
    pair: tuple[int, bool]
    source: str = field(metadata={"json": "from"})
    cell: str | int | float | bool | None = None
    maybe: _Part | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    anything: Any = None


WHOLE = {"kind": "a", "parts": [{"name": "x", "weight": 2}], "pair": [1, True], "from": "here"}


def test_every_kind_of_field_comes_back_as_declared() -> None:
    stored = {**WHOLE, "cell": 2, "maybe": {"name": "y"}, "counts": {"n": 3}, "anything": [{"k": 1}]}
    found = decoded(_Whole, json.loads(json.dumps(stored)))
    assert found == _Whole("a", (_Part("x", 2.0),), (1, True), "here", 2, _Part("y"), {"n": 3}, [{"k": 1}])
    assert type(found.parts[0].weight) is float
    assert type(found.cell) is int


@pytest.mark.parametrize("cell", ["x", 1, 1.5, True, None])
def test_a_union_keeps_the_type_that_stands_there(cell: object) -> None:
    found = decoded(_Whole, {**WHOLE, "cell": cell}).cell
    assert (found, type(found)) == (cell, type(cell))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"kind": "c"}, "kind: can't be 'c'"),
        ({"kind": ["a"]}, "kind: can't be"),
        ({"parts": [{"name": 1}]}, "parts: name: can't be 1"),
        ({"parts": [{"name": "x", "weight": True}]}, "weight: can't be True"),
        ({"parts": [{"name": "x", "weight": float("nan")}]}, "weight: can't be nan"),
        ({"parts": [{}]}, "parts: name is missing"),
        ({"parts": {"name": "x"}}, "parts: can't be"),
        ({"parts": "xy"}, "parts: can't be 'xy'"),
        ({"pair": [1]}, "pair: can't be"),
        ({"pair": [1, True, 2]}, "pair: can't be"),
        ({"pair": [True, True]}, "pair: can't be True"),
        ({"pair": [1.0, True]}, "pair: can't be 1.0"),
        ({"pair": [1, 1]}, "pair: can't be 1"),
        ({"from": None}, "from: can't be None"),
        ({"cell": []}, "cell: can't be"),
        ({"maybe": 3}, "maybe: can't be 3"),
        ({"counts": {"n": "3"}}, "counts: can't be '3'"),
        ({"counts": []}, "counts: can't be"),
        ({"source": "x"}, "source is unknown"),
        ({"other": 1}, "other is unknown"),
    ],
)
def test_what_fits_nowhere_is_refused_with_its_place(change: dict[str, object], place: str) -> None:
    with pytest.raises(ValueError) as refused:
        decoded(_Whole, {**WHOLE, **change})
    assert place in str(refused.value)


@pytest.mark.parametrize("value", [None, 7, "text", [], [[]], {}])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        decoded(_Whole, value)


def test_a_long_value_is_quoted_in_part() -> None:
    with pytest.raises(ValueError) as refused:
        decoded(_Part, {"name": list(range(1000))})
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize("kind", [str, int, bool])
def test_a_list_of_one_type_takes_no_other(kind: type) -> None:
    values = {str: ["a", "b"], int: [1, 2], bool: [True, False]}
    assert decoded(tuple[kind, ...], values[kind]) == tuple(values[kind])  # type: ignore[valid-type]
    for other in set(values) - {kind}:
        with pytest.raises(ValueError):
            decoded(tuple[kind, ...], [*values[kind], values[other][0]])  # type: ignore[valid-type]


def test_what_the_program_stores_comes_back_equal() -> None:
    hit = Hit("a.md", "id", "H", None, 0, 5, "Forty", 0.125, "dense", ((0, 5),))
    score = RouteScore("vectorial", 0.5, 0.75, "anchor", Evidence("text", "H", 0.3))
    clause = ClauseDecision("q", "q", "v", (), 3, (score,), 0.4, 0.6, 0.5, 0.2, 0.1, "hybrid", "why")
    decision = RouteDecision("q", (clause,), "c", 3, 1.25, {"evidence": 0.5})
    answer = Answer(
        "q", None, "v", ("v",), "hybrid", False, None, ("a",), ((1, None), (2.5, "x")), (hit,), decision,
        spans=(SpanRecord("ask", -1, 0.0, 2.5, {"k": [1, "x"]}),), closest=hit,
    )  # fmt: skip
    column = Column("crop", "Crop", "text", ("oats", "rye"), 2, 0, ",", "kg", ("a note",))
    for value in (
        answer,
        ChunkRoute("graph", ("vectorial",), (("graph", 0.5),), 0.1, "why"),
        TableSchema("t", "a.csv", "T", (column,), 3, "f.parquet", "H", ("n",)),
    ):
        assert decoded(type(value), json.loads(json.dumps(as_json(value)))) == value
