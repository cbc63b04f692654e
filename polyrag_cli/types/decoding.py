"""Owns the way back from JSON to the program's dataclasses: each value is checked against the declared type.

>>> decoded(tuple[Chunk, ...], json.loads(text))
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

_Decode = Callable[[Any], Any]
# Characters of a refused value that its error quotes.
_SHOWN = 60


def decoded(kind: type[T], value: Any) -> T:
    """The value of a type behind what `json.loads` made of it.

    kind: a dataclass, str, int, float, bool, None, Any, a Literal, a union of such, or a tuple or Mapping of them. A
    dataclass's field may stand under another name in JSON: `field(metadata={"json": "from"})`. What is one of the
    dataclass already is taken as it is.

    Raises ValueError, which names the place, for a value of another type, a field that is missing and has no default,
    a field that the dataclass doesn't have, and NaN.
    """
    # mypy takes no class for hashable.
    result: T = _decoder(cast(Hashable, kind))(value)
    return result


@cache
def _decoder(kind: Any) -> _Decode:
    if kind is Any:
        return lambda value: value
    if is_dataclass(kind):
        return _record(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _one_of(arguments)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is tuple:
        return _sequence(arguments[0]) if arguments[1:] == (...,) else _row(arguments)
    if origin in (Mapping, dict):
        return _mapping(*arguments)
    return _PLAIN[kind]


def _refused(value: Any) -> ValueError:
    shown = repr(value)
    return ValueError(f"can't be {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}")


def _exactly(kind: type) -> _Decode:
    def decode(value: Any) -> Any:
        if type(value) is not kind:
            raise _refused(value)
        return value

    return decode


def _number(value: Any) -> float:
    if type(value) not in (int, float) or math.isnan(value):
        raise _refused(value)
    return float(value)


_PLAIN: Mapping[Any, _Decode] = {
    str: _exactly(str),
    bool: _exactly(bool),
    int: _exactly(int),
    type(None): _exactly(type(None)),
    float: _number,
}


def _one_of(allowed: tuple[Any, ...]) -> _Decode:
    def decode(value: Any) -> Any:
        if not isinstance(value, str | int) or value not in allowed:
            raise _refused(value)
        return value

    return decode


def _union(kinds: tuple[Any, ...]) -> _Decode:
    """The first of its types that takes a value, None before all; an integer stays one where the union has both."""
    choices = [_decoder(kind) for kind in sorted(kinds, key=lambda kind: kind is not type(None))]

    def decode(value: Any) -> Any:
        for choice in choices[:-1]:
            try:
                return choice(value)
            except ValueError:
                continue
        return choices[-1](value)

    return decode


def _sequence(kind: Any) -> _Decode:
    one = _decoder(kind)
    alike = {kind} if kind in (str, int, bool) else set[type]()

    def decode(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise _refused(value)
        if alike and set(map(type, value)) <= alike:
            # A column's distinct values are many: looked at one by one, they cost ten times as much.
            return tuple(value)
        return tuple([one(part) for part in value])

    return decode


def _row(kinds: tuple[Any, ...]) -> _Decode:
    each = [_decoder(kind) for kind in kinds]

    def decode(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(each):
            raise _refused(value)
        return tuple([one(part) for one, part in zip(each, value, strict=True)])

    return decode


def _mapping(key: Any, kind: Any) -> _Decode:
    name, one = _decoder(key), _decoder(kind)

    def decode(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _refused(value)
        return {name(part): one(inner) for part, inner in value.items()}

    return decode


def _record(kind: Any) -> _Decode:
    hints = get_type_hints(kind)
    known = {
        field.metadata.get("json", field.name): (field.name, _decoder(hints[field.name])) for field in fields(kind)
    }
    required = {
        field.metadata.get("json", field.name)
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    }

    def decode(value: Any) -> Any:
        if type(value) is kind:
            return value
        if not isinstance(value, Mapping):
            raise _refused(value)
        if missing := sorted(required - value.keys()):
            raise ValueError(f"{missing[0]} is missing")
        made = {}
        for key, part in value.items():
            if key not in known:
                raise ValueError(f"{key} is unknown")
            name, one = known[key]
            try:
                made[name] = one(part)
            except ValueError as error:
                raise ValueError(f"{key}: {error}") from None
        return kind(**made)

    return decode
