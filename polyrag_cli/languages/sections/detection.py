"""Owns the table `[detection]`: what tells the language of a text besides its function words."""

from collections.abc import Mapping

from polyrag_cli.languages.section import Section


class Detection(Section):
    """What tells the language of a text.

    common: words of content that short questions hold, also those that another language would take for its own.
    columns: what columns of tables are called. letters: letters, or letters in a row, that the language has nearly
    alone. endings, beginnings, inside: parts of words that its neighbours don't have, written without accents.
    outranks: codes of languages that it shares so many words with that a tie is its own.
    foreign: function words of languages that could be taken for this one, by their code, and foreign_columns: what they
    call columns; left out once such a language has a file.
    """

    common: frozenset[str]
    columns: frozenset[str]
    letters: tuple[str, ...]
    endings: frozenset[str]
    beginnings: frozenset[str]
    inside: frozenset[str]
    outranks: tuple[str, ...]
    foreign: Mapping[str, frozenset[str]]
    foreign_columns: Mapping[str, frozenset[str]]
