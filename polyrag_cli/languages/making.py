"""Owns how a language is put together: of its compiled form, and of several languages for an undetermined one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.kinds import kind_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.languages.section import Section


def tables() -> tuple[str, ...]:
    """The names of the tables of a language file."""
    return tuple(name for name in Language.__annotations__ if name != "code")


@cache
def section_of(table: str) -> type[Section]:
    """The class of a table."""
    module = import_module(f"polyrag_cli.languages.sections.{table}")
    found: type[Section] = getattr(module, Language.__annotations__[table])
    return found


def made(plain: Mapping[str, Any], table: str) -> Section:
    """The section of a table of what `reading.read_language` gave."""
    return _made(plain, section_of(table))


def _made(plain: Mapping[str, Any], section: type[Section]) -> Section:
    values: dict[str, Any] = {}
    for key, annotation in section.__annotations__.items():
        if isinstance(annotation, type) and issubclass(annotation, Section):
            values[key] = _made(plain[key], annotation)
        else:
            values[key] = kind_of(annotation)[0].value(plain[key])
    return section(**values)


def joined(languages: Sequence[Language]) -> Language:
    """The language of a text in any of several: what each says together; nothing where single values differ."""
    return Language(
        UNDETERMINED, lambda table: _joined([getattr(each, table) for each in languages], section_of(table))
    )


def _joined(parts: Sequence[Any], section: type[Section]) -> Section:
    values: dict[str, Any] = {}
    for key, annotation in section.__annotations__.items():
        each = [getattr(part, key) for part in parts]
        nested = isinstance(annotation, type) and issubclass(annotation, Section)
        values[key] = _joined(each, annotation) if nested else kind_of(annotation)[0].joined(each)
    return section(**values)
