"""Owns the table `[writing]`: how the language is written."""

from polyrag_cli.languages.section import Section


class Writing(Section):
    """How a language is written.

    name: of the language, in itself. decimal, thousands: the marks in figures.
    capitals_mark_names: whether a capital inside a sentence is evidence of a name; false where nouns have capitals.
    """

    name: str
    decimal: str
    thousands: str
    capitals_mark_names: bool
