"""Owns the accents that column names have lost: an embedder knows a word by its spelling."""

from __future__ import annotations

from polyrag_cli.languages import language
from polyrag_cli.languages.inflection import replaced


def accented(folded_word: str, code: str) -> str:
    """Return a folded word with the accents that its ending calls for in a language, or as it is.

    In an undetermined language it is read in any: where another's word ends alike, little is lost.
    """
    return replaced(folded_word, language(code).inflections.accents)
