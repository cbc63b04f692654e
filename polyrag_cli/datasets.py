"""Labelled question sets: YAML or JSONL."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from polyrag_cli.config.values import nearest
from polyrag_cli.errors import UsageError, reason
from polyrag_cli.types import EvalItem

_LISTS = ("route", "routes", "relevant", "gold", "facts", "answer", "tags")
_KEYS = ("question", *_LISTS, "sql", "lang")
_FORM = "Each item has `question` and what a right answer shows."


def load_set(path: Path) -> tuple[EvalItem, ...]:
    """The items of a set.

    Raises UsageError naming the file and the item that is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path}: can't be read: {reason(error)}.", "Name a YAML or JSONL file of questions."
        ) from error
    raw = _jsonl(path, text) if path.suffix in (".jsonl", ".ndjson") else _yaml(path, text)
    if not isinstance(raw, list) or not raw:
        raise UsageError(f"{path}: holds no list of questions.", _FORM)
    return tuple(_item(path, number, entry) for number, entry in enumerate(raw, 1))


def check_routes(path: Path, items: Sequence[EvalItem], known: Sequence[str]) -> None:
    """Refuses a set that expects a route which isn't configured: no answer could ever be right.

    Raises UsageError naming the file and the item.
    """
    for number, item in enumerate(items, 1):
        for route in item.routes:
            if route not in known:
                raise UsageError(f"{path}: item {number}: there is no route {route!r}.", _hint(route, known))


def _yaml(path: Path, text: str) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses a key that stands twice in an item, which YAML lets replace the first: a forgotten dash."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            twice = next((key for key in keys if keys.count(key) > 1 and key != "<<"), None)
            if twice is not None:
                raise yaml.constructor.ConstructorError(None, None, f"{twice!r} stands twice", node.start_mark)
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError) as error:
        raise UsageError(f"{path}: not valid YAML: {' '.join(str(error).split())}.") from error
    except RecursionError as error:
        raise UsageError(f"{path}: nested too deeply.", _FORM) from error


def _jsonl(path: Path, text: str) -> list[Any]:
    rows = []
    # Not splitlines: a JSON text may hold other line separators as they are.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
                raise UsageError(f"{path}: line {number} is no JSON: {reason}.") from error
    return rows


def _item(path: Path, number: int, entry: Any) -> EvalItem:
    where = f"{path}: item {number}"
    if not isinstance(entry, Mapping) or not isinstance(entry.get("question"), str):
        raise UsageError(f"{where} has no question.", "Write: - question: …")
    for key in entry:
        if key not in _KEYS:
            raise UsageError(f"{where}: unknown key {key!r}.", _hint(str(key), _KEYS))
    if not any(c.isalnum() for c in entry["question"]):
        raise UsageError(f"{where}: the question holds no words.", "Write: - question: …")
    question = _text(where, "question", entry["question"])
    read = {key: _texts(where, key, entry.get(key)) for key in (*_LISTS, "lang")}
    declines = "answer" in entry and entry["answer"] is None
    if declines and read["facts"]:
        raise UsageError(
            f"{where}: `answer: null` says that nothing answers it, and `facts` what answers it.", "Leave one out."
        )
    return EvalItem(
        question=question,
        routes=read["routes"] or read["route"],
        relevant=read["relevant"],
        gold=read["gold"],
        facts=read["facts"],
        declines=declines,
        values=read["answer"],
        lang=" ".join(read["lang"]),
        tags=read["tags"],
    )


def _texts(where: str, key: str, value: Any) -> tuple[str, ...]:
    """A label's texts: one, a list of them, or none."""
    if value is None or value == "":
        return ()
    return tuple(_text(where, key, one) for one in (value if isinstance(value, list) else [value]))


def _text(where: str, key: str, value: Any) -> str:
    """A text, a number or a date, as text. YAML reads yes, no, on and off as truth values, so those need quotes."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, date)):
        raise UsageError(
            f"{where}: `{key}` can't be {value!r}.", "Write a text in quotes, a number, or a list of them."
        )
    try:
        text = str(value)
        text.encode()
    except ValueError as error:
        raise UsageError(f"{where}: `{key}` holds what is no text: {error}.") from error
    if not text.strip():
        raise UsageError(f"{where}: `{key}` holds an empty text.", "Leave it out.")
    return text


def _hint(word: str, known: Sequence[str]) -> str:
    return f"Nearest: {nearest(word, known)}."
