"""Owns front matter: what a file says about itself before its text, as a title and fields."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from polyrag_cli.loaders.rendering.clean_text import Line
from polyrag_cli.loaders.rendering.inline import plain

_MOST_LINES = 200
_MOST_CHARACTERS = 20_000
_LONGEST_VALUE = 600
_OPENS = re.compile(r"\s*(?:-[ \t]|[\w.-]+[ \t]*[:=]|[\"'\[#]|$)")
_FIELD = re.compile(r"([^\s:=#-][^:=\n]{0,60})[:=](.*)$")
_MARKED = re.compile(r"[`*<&]|\]\(|\[\[")
_TITLE = "title"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """after: the first line behind it, 0 without any. fields: name and value, in the file's order, each with the line
    on which it stands; the title isn't among them."""

    after: int = 0
    title: str = ""
    fields: tuple[tuple[str, str, int], ...] = ()

    def lines(self) -> list[Line]:
        """The fields as "name: value"."""
        return [Line(f"{name}: {value}", line) for name, value, line in self.fields]


def front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter that opens some lines: YAML between ---, TOML between +++, or a JSON object.

    What isn't well-formed is read line by line.
    """
    fence = lines[0].rstrip() if lines else ""
    if fence == "{":
        return _json(lines)
    if fence not in ("---", "+++"):
        return FrontMatter()
    ends = (fence, "...") if fence == "---" else (fence,)
    end = next((i for i, line in enumerate(lines[1:_MOST_LINES], 1) if line.rstrip() in ends), 0)
    inside = lines[1:end]
    first = next((line for line in inside if line.strip()), "")
    if not end or not _OPENS.match(first) or sum(map(len, inside)) > _MOST_CHARACTERS:
        return FrontMatter()
    said = _toml(inside) if fence == "+++" else _yaml(inside)
    if said is None:
        said = {found[1].strip(): found[2].strip(" \t,\"'") for found in map(_FIELD.match, inside) if found}
        if not said and any(line.strip() for line in inside):
            return FrontMatter()
    return _of(said, inside, end + 1)


def _of(said: Mapping[Any, Any], inside: Sequence[str], after: int) -> FrontMatter:
    title, fields = "", []
    for name, value in said.items():
        shown = " ".join(_shown(value).split())[:_LONGEST_VALUE]
        shown = plain(shown) if _MARKED.search(shown) else shown
        if not shown:
            continue
        if str(name).casefold() == _TITLE and not title:
            title = shown
        else:
            line = next((i for i, text in enumerate(inside, 1) if text.lstrip(" \"'[").startswith(str(name))), 0)
            fields.append((" ".join(str(name).split())[:60], shown, line))
    return FrontMatter(after, title, tuple(fields))


def _shown(value: Any) -> str:
    """A scalar as people write it, a list of them with commas; of groups the values one level down."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, Mapping):
        pairs = [(name, _flat(held)) for name, held in list(value.items())[:20]]
        return ", ".join(f"{name} {held}" for name, held in pairs if held)
    if isinstance(value, list | tuple | set):
        return ", ".join(filter(None, (_shown(each) if isinstance(each, Mapping) else _flat(each) for each in value)))
    return ""


def _flat(value: Any) -> str:
    """A scalar; nothing for what holds others, which may hold themselves."""
    return _shown(value) if not isinstance(value, Mapping | list | tuple | set) else ""


def _yaml(inside: Sequence[str]) -> Mapping[Any, Any] | None:
    import yaml

    try:
        said = yaml.safe_load("\n".join(inside))
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None
    if said is None:
        return {}
    return said if isinstance(said, Mapping) else None


def _toml(inside: Sequence[str]) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads("\n".join(inside))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _json(lines: Sequence[str]) -> FrontMatter:
    end = next((i for i, line in enumerate(lines[1:_MOST_LINES], 1) if line.rstrip() == "}"), 0)
    inside = lines[: end + 1]
    if not end or sum(map(len, inside)) > _MOST_CHARACTERS:
        return FrontMatter()
    try:
        said = json.loads("\n".join(inside))
    except (ValueError, RecursionError):
        return FrontMatter()
    return _of(said, inside[1:], end + 1)
