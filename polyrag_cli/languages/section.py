"""Owns what a part of a language file is: a frozen class whose annotations are the keys of one TOML table."""

from __future__ import annotations

from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
class Section:
    """One table of a language file; each annotation of a subclass is a key that every language file must have.

    It reads as a frozen dataclass without methods that are generated: making those at import costs more than reading
    all languages.
    """

    def __init__(self, **values: Any) -> None:
        missing = set(self.__annotations__).symmetric_difference(values)
        if missing:
            raise TypeError(f"{type(self).__name__}: missing or unknown: {', '.join(sorted(missing))}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} can't be removed")
