"""Options that every command takes, before or after its name, and the engine opened with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
FoldersArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="FOLDER=QUESTIONS...",
        help="A folder (or a data directory) and a YAML or JSONL file of labelled questions about it.",
    ),
]


def _given_path(text: str) -> Path:
    """A path that isn't empty, as that of an unset variable is: it would be the current folder."""
    if not text.strip():
        raise typer.BadParameter("the path is empty.")
    return Path(text)


DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        parser=_given_path,
        help="Data directory (default: .polyrag beside polyrag.toml).",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        parser=_given_path,
        help="Configuration file (default: polyrag.toml, searched upwards).",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
OverrideOption = Annotated[
    list[str] | None,
    typer.Option("--override", metavar="KEY=VALUE", help="Override a setting, as in --override embedder.name=hashing."),
]
SetsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--set", help="A YAML or JSONL file of labelled questions; may be repeated (default: those of gate.sets)."
    ),
]

_given: dict[str, Path | None] = {"data": None, "config": None}


def set_global(data: Path | None, config: Path | None) -> None:
    """Remembers what stood before the command's name."""
    _given.update(data=data, config=config)


def add_global(data: Path | None, config: Path | None) -> None:
    """Remembers what stood between a command's name and that of a part of it, beside or over what stood before."""
    set_global(data or _given["data"], config or _given["config"])


def overrides(assignments: list[str] | None) -> dict[str, Any]:
    """`KEY=VALUE` flags as dotted keys. Raises UsageError for one without `=`."""
    from polyrag_cli.config.values import parse_text
    from polyrag_cli.errors import UsageError

    found: dict[str, Any] = {}
    for assignment in assignments or []:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise UsageError(f"--override {assignment}: no value.", "Write --override KEY=VALUE.")
        found[key.strip()] = parse_text(value)
    return found


def open_engine(
    data: Path | None, config: Path | None, assignments: list[str] | None = None, extra: Mapping[str, Any] | None = None
) -> Engine:
    """The engine that a command works with. extra: dotted keys that the command itself decides."""
    from polyrag_cli.engine import Engine

    return Engine.open(
        data_dir=data or _given["data"],
        config=config or _given["config"],
        overrides={**overrides(assignments), **(extra or {})},
    )


def question_sets(
    named: list[Path] | None, data: Path | None, config: Path | None, assignments: list[str] | None
) -> list[Path]:
    """The sets that `--set` names, else those of gate.sets.

    Raises UsageError when there is neither.
    """
    if named:
        return named
    from polyrag_cli.config import Settings
    from polyrag_cli.errors import UsageError

    settings = Settings.load(config or _given["config"], data or _given["data"], overrides(assignments))
    if not settings.gate.sets:
        raise UsageError("no question set is named.", "Name one with --set FILE, or list some in gate.sets.")
    return list(settings.gate.sets)


def given_flags(data: Path | None, config: Path | None, assignments: list[str] | None) -> list[str]:
    """The options as they'd be given to another process in the same folder."""
    chosen = (("--data", data or _given["data"]), ("--config", config or _given["config"]))
    flags = [word for name, path in chosen if path is not None for word in (name, str(path))]
    return flags + [word for assignment in assignments or [] for word in ("--override", assignment)]


def read_argument(words: list[str], command: str, example: str) -> str:
    """A text argument: the words joined, or standard input for a single `-`.

    Raises UsageError with an example when there is none.
    """
    import sys

    from polyrag_cli.errors import UsageError

    if words == ["-"]:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    if not words:
        raise UsageError(f"missing {command}.", f"Try: {example}")
    return " ".join(words)
