"""Results as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def as_json(result: Any) -> Any:
    """A result as JSON values: dataclasses become objects, a field under the name that its metadata give for "json",
    such as "from", a keyword in Python.
    """
    if is_dataclass(result) and not isinstance(result, type):
        return {f.metadata.get("json", f.name): as_json(getattr(result, f.name)) for f in fields(result)}
    if isinstance(result, Mapping):
        return {str(key): as_json(value) for key, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [as_json(value) for value in result]
    return result
