"""Results as plain values, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from polyrag_cli.types.answers import Hit


def as_json(result: Any) -> Any:
    """A result as JSON values: dataclasses become objects, `Hit.source` becomes "from" (a keyword in Python)."""
    if is_dataclass(result) and not isinstance(result, type):
        hit = isinstance(result, Hit)
        return {
            ("from" if hit and f.name == "source" else f.name): as_json(getattr(result, f.name)) for f in fields(result)
        }
    if isinstance(result, Mapping):
        return {str(key): as_json(value) for key, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [as_json(value) for value in result]
    return result
