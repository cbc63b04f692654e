"""Owns the table `[writing]`: how the language is written."""

from polyrag_cli.languages.section import Section


class Writing(Section):
    """How a language is written.

    name: of the language, in itself. stemmer: the Snowball algorithm for it, "" without one.
    decimal, thousands: the marks in figures. day_first: whether 03/12 is the third of December.
    capitals_mark_names: whether a capital inside a sentence is evidence of a name; false where nouns have capitals.
    """

    name: str
    stemmer: str
    decimal: str
    thousands: str
    day_first: bool
    capitals_mark_names: bool
