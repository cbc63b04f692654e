"""Owns the strict reading of language files: what is missing, unknown or of another type is refused by file and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from polyrag_cli.errors import ConfigError, reason
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.inflection import inflected
from polyrag_cli.languages.kinds import WrongValueError, is_inflected, kind_of
from polyrag_cli.languages.making import section_of, tables
from polyrag_cli.languages.section import Section

_CODE = re.compile(r"[a-z]{2,3}")
_REQUIRED = "Every key is required: a language that has none of something says so with an empty list."


def read_language(file: Path) -> dict[str, Any]:
    """What each table of a language file says as JSON values, with its words folded.

    Raises ConfigError, naming the file and the key, when it isn't TOML or isn't what `Language` says.
    """
    if _CODE.fullmatch(file.stem) is None or file.stem == UNDETERMINED:
        raise ConfigError(f"{file}: a language file is named after its ISO 639 code, as in pt.toml.")
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file}: can't be read as TOML: {reason(error)}.") from error
    wanted = {table: section_of(table) for table in tables()}
    _same_keys(file.name, raw, wanted)
    rules = _read_section(file.name, "inflections", raw["inflections"], wanted["inflections"], {})
    found = {name: _read_section(file.name, name, raw[name], section, rules) for name, section in wanted.items()}
    _check_marks(file.name, found["writing"])
    _check_ways(file.name, found["tables"])
    _check_restored(file.name, found["stemming"])
    _check_stemmer(file.name, found["stemming"]["algorithm"])
    return found


def _read_section(
    file: str, path: str, raw: Any, section: type[Section], rules: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    # Folding belongs to text; only whoever compiles pays for it.
    from polyrag_cli.text.fold import fold

    if not isinstance(raw, dict):
        raise ConfigError(f"{file}: {path} must be a table, [{path}].")
    _same_keys(f"{file}: [{path}]", raw, section.__annotations__)
    found: dict[str, Any] = {}
    for key, annotation in section.__annotations__.items():
        if isinstance(annotation, type) and issubclass(annotation, Section):
            found[key] = _read_section(file, f"{path}.{key}", raw[key], annotation, rules)
            continue
        kind, folded = kind_of(annotation)
        try:
            listed = inflected(raw[key], rules["plurals"], rules["verbs"]) if is_inflected(annotation) else raw[key]
            found[key] = kind.plain(listed, fold if folded else str)
        except WrongValueError as error:
            raise ConfigError(f"{file}: [{path}] {key}: {error}.") from None
        except re.error as error:
            raise ConfigError(f"{file}: [inflections]: {error.pattern!r} is no regular expression: {error}.") from None
    return found


def _same_keys(where: str, raw: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    unknown = sorted(raw.keys() - wanted.keys())
    if unknown:
        near = get_close_matches(unknown[0], wanted, 1)
        raise ConfigError(f"{where} has no key {unknown[0]!r}.", f"Did you mean {near[0]!r}?" if near else "")
    missing = [key for key in wanted if key not in raw]
    if missing:
        raise ConfigError(f"{where} lacks {', '.join(missing)}.", _REQUIRED)


def _check_marks(file: str, writing: Mapping[str, Any]) -> None:
    for key in ("decimal", "thousands"):
        if len(writing[key]) != 1:
            raise ConfigError(f"{file}: [writing] {key}: one character is wanted, not {writing[key]!r}.")
    if writing["decimal"] == writing["thousands"]:
        raise ConfigError(f"{file}: [writing] decimal and thousands are the same mark, {writing['decimal']!r}.")


def _check_ways(file: str, found: Mapping[str, Any]) -> None:
    growth = {" ".join(phrase) for phrase in found["operators"]["growth"]}
    for key in ("rising", "falling"):
        if others := sorted(set(found[key]) - growth):
            raise ConfigError(f"{file}: [tables] {key}: {others[0]!r} isn't among the words of operators.growth.")
    if both := sorted(set(found["rising"]) & set(found["falling"])):
        raise ConfigError(f"{file}: [tables] rising: {both[0]!r} is among those of falling.")


def _check_restored(file: str, stemming: Mapping[str, Any]) -> None:
    for pattern in stemming["restored"]:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"{file}: [stemming] restored: {pattern!r} is no regular expression: {error}.") from None


def _check_stemmer(file: str, algorithm: str) -> None:
    # The library has no type stubs.
    known = import_module("Stemmer").algorithms()
    if algorithm and algorithm not in known:
        raise ConfigError(
            f"{file}: [stemming] algorithm: there is no stemmer {algorithm!r}.",
            f"One of {', '.join(sorted(known))}, or an empty text for none.",
        )
