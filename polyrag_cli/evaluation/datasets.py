"""Labelled question sets: YAML or JSONL. Must never open a store or the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrag_cli.config_values import nearest
from polyrag_cli.errors import UsageError

_KEYS = ("question", "route", "routes", "relevant", "gold", "facts", "answer", "sql", "lang", "tags")


@dataclass(frozen=True, slots=True)
class EvalItem:
    """A question with what a right answer shows.

    routes: the stores that should answer, () when not judged. relevant: markers that a right passage contains.
    gold: document names. facts: whole words and numbers that the answer must contain.
    declines: nothing in the corpus answers it. values: the answer's values, () when not judged.
    """

    question: str
    routes: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    declines: bool = False
    values: tuple[str, ...] = ()
    lang: str = ""
    tags: tuple[str, ...] = ()


def load_set(path: Path) -> tuple[EvalItem, ...]:
    """The items of a set.

    Raises UsageError naming the file and the item that is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: can't be read: {error}.", "Name a YAML or JSONL file of questions.") from error
    raw = _jsonl(path, text) if path.suffix in (".jsonl", ".ndjson") else _yaml(path, text)
    if not isinstance(raw, list) or not raw:
        raise UsageError(
            f"{path}: holds no list of questions.", "Each item has `question` and what a right answer shows."
        )
    return tuple(_item(path, number, entry) for number, entry in enumerate(raw, 1))


def _yaml(path: Path, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"{path}: not valid YAML: {' '.join(str(error).split())}.") from error


def _jsonl(path: Path, text: str) -> list[Any]:
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise UsageError(f"{path}: line {number} is no JSON: {error.msg}.") from error
    return rows


def _item(path: Path, number: int, entry: Any) -> EvalItem:
    where = f"{path}: item {number}"
    if not isinstance(entry, Mapping) or not isinstance(entry.get("question"), str):
        raise UsageError(f"{where} has no question.", "Write: - question: …")
    for key in entry:
        if key not in _KEYS:
            raise UsageError(f"{where}: unknown key {key!r}.", f"Nearest: {nearest(str(key), _KEYS)}.")

    def texts(key: str) -> tuple[str, ...]:
        value = entry.get(key) or ()
        return tuple(str(v) for v in ([value] if isinstance(value, (str, int, float)) else value))

    return EvalItem(
        question=entry["question"],
        routes=texts("routes") or texts("route"),
        relevant=texts("relevant"),
        gold=texts("gold"),
        facts=texts("facts"),
        declines="answer" in entry and entry["answer"] is None,
        values=texts("answer"),
        lang=str(entry.get("lang", "")),
        tags=texts("tags"),
    )
