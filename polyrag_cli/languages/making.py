"""Owns how a language is put together: of its compiled form, and of several languages for an undetermined one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.kinds import kind_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.languages.section import Section


def sections(language: type[Language]) -> dict[str, type[Section]]:
    """The tables of a language file with the class of each."""
    return {name: section for name, section in language.__annotations__.items() if name != "code"}


def made(plain: Mapping[str, Any]) -> Language:
    """The language of what `reading.read_language` gave. Raises KeyError, TypeError or ValueError for anything else."""
    code = plain["code"]
    if not isinstance(code, str):
        raise TypeError("a language without a code")
    parts: dict[str, Any] = {name: _made(plain[name], section) for name, section in sections(Language).items()}
    return Language(code=code, **parts)


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
    parts: dict[str, Any] = {
        name: _joined([getattr(each, name) for each in languages], section)
        for name, section in sections(Language).items()
    }
    return Language(code=UNDETERMINED, **parts)


def _joined(parts: Sequence[Any], section: type[Section]) -> Section:
    values: dict[str, Any] = {}
    for key, annotation in section.__annotations__.items():
        each = [getattr(part, key) for part in parts]
        nested = isinstance(annotation, type) and issubclass(annotation, Section)
        values[key] = _joined(each, annotation) if nested else kind_of(annotation)[0].joined(each)
    return section(**values)
