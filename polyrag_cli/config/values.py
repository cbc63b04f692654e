"""What a single value may be: its type as text or TOML gives it, its range, its names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from polyrag_cli.config.declare import Declaration
from polyrag_cli.errors import ConfigError
from polyrag_cli.registry import known


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that looks most like the given one; the first in order when none does."""
    # Not needed by a start that goes well.
    from difflib import get_close_matches

    candidates = sorted(known)
    close = get_close_matches(name, candidates, n=1, cutoff=0.0)
    return close[0] if close else "–"


def parse_text(text: str) -> Any:
    """A value as an environment variable or a flag gives it: boolean, integer, number or text."""
    lowered = text.strip().lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def coerce(value: Any, like: Any, key: str, where: str) -> Any:
    """The value as the type of `like`.

    Raises ConfigError when it has another type: an integer may stand for a number, nothing else is converted.
    """
    kind = type(like)
    if kind is float and type(value) is int:
        return float(value)
    if kind is str and type(value) in (int, float):
        raise ConfigError(f"{where}: {key} must be text, not {value!r}.", "Put it in quotes.")
    if type(value) is not kind:
        raise ConfigError(f"{where}: {key} must be {_TYPE_NAMES[kind]}, not {value!r}.")
    if kind is float and not math.isfinite(value):
        raise ConfigError(f"{where}: {key} must be a finite number, not {value!r}.")
    if kind is list and not all(type(v) is str and v.strip() for v in value):
        raise ConfigError(f"{where}: {key} must be a list of texts.", "Each entry is a text in quotes, none empty.")
    return value


_TYPE_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list of texts",
}


def check_value(value: Any, declared: Declaration, key: str, where: str) -> None:
    """Raises ConfigError for a name that isn't known, and for a number out of its range."""
    if declared.choices is not None:
        allowed = declared.choices()
        if value not in allowed and declared.kind:
            allowed = (*allowed, *(name for name in known(declared.kind) if name not in allowed))
        if value not in allowed:
            raise ConfigError(
                f"{where}: {key} = {value!r} is not known.",
                f"Nearest: {nearest(str(value), allowed)!r} (of {', '.join(allowed)}).",
            )
    low, high = declared.low, declared.high
    if low is not None and not low <= value <= (math.inf if high is None else high):
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ConfigError(f"{where}: {key} = {value!r} is impossible.", f"It must be {span}.")
