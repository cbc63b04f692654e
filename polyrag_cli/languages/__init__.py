"""Owns the languages: what each TOML file of this folder says of one, the only place with words of human languages.

To add a language, add `<ISO 639 code>.toml`: copy a file, its head says what each table is for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyrag_cli.languages.schema import Language

UNDETERMINED = "und"
OWN = "en"
"""The code of the language that the program itself speaks: of replies where none is known."""


@cache
def all_languages() -> tuple[Language, ...]:
    """Every language that has a file, sorted by code."""
    from polyrag_cli.languages.compiled import load

    return load()


def language(code: str) -> Language:
    """The language of a code; for "und" and any other without a file, the union of all: what any of them says.

    In the union a text, number or switch on which the languages differ is empty, 0 or False.
    """
    return _by_code().get(code) or _undetermined()


@cache
def _by_code() -> dict[str, Language]:
    return {each.code: each for each in all_languages()}


@cache
def _undetermined() -> Language:
    from polyrag_cli.languages.making import joined

    return joined(all_languages())
