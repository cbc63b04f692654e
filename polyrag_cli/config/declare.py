"""How a setting is declared: what is said about a dataclass field beside its name, type and default.

@dataclass(frozen=True, slots=True)
class AnswerSettings:
    top_k: int = setting(5, "Passages an answer may draw on, for each clause.", low=1, high=100)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

T = TypeVar("T")

Decides = Literal["chunks", "homes", "routes", "answers", "operation"]
"""What a setting decides: how files are cut, which store is a passage's home, where a question goes, what is found and
said, or only how the program runs. The first two take an ingest."""

_KEY = "setting"


class Declaration(NamedTuple):
    """What is said about a setting.

    default: as TOML holds it. meaning: one sentence. low, high: bounds of a number, None for none.
    choices: the names that a text may be. kind: what they are registered as, where other packages may add some.
    decides: None where it decides what its section does.
    path: a file or folder, or a list of them, seen from the configuration's own folder.
    """

    default: Any
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: Callable[[], tuple[str, ...]] | None = None
    decides: Decides | None = None
    path: bool = False
    kind: str = ""


def setting(
    default: T,
    meaning: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Callable[[], tuple[str, ...]] | None = None,
    decides: Decides | None = None,
    path: bool = False,
    kind: str = "",
) -> T:
    """A dataclass field that is a setting; see `Declaration`."""
    declared = Declaration(_in_toml(default), meaning, low, high, choices, decides, path, kind)
    made: T = field(default=default, metadata={_KEY: declared})
    return made


def share(default: float, meaning: str, *, decides: Decides | None = None) -> float:
    """A setting from 0 to 1."""
    return setting(default, meaning, low=0, high=1, decides=decides)


def weight(default: float, meaning: str) -> float:
    """A setting that is a weight of a logistic regression, of either sign."""
    return setting(default, meaning, low=-1000, high=1000)


def declarations(section: type, decides: Decides) -> dict[str, Declaration]:
    """Name → declaration of a section's settings, in their order; decides: what those decide that don't say."""
    found = {f.name: f.metadata[_KEY] for f in fields(section) if _KEY in f.metadata}
    return {
        name: declared if declared.decides else declared._replace(decides=decides) for name, declared in found.items()
    }


def _in_toml(value: Any) -> Any:
    if isinstance(value, tuple):
        return [str(part) for part in value]
    return str(value) if isinstance(value, Path) else value
