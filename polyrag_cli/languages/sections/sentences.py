"""Owns the table `[sentences]`: what a full stop behind a word says."""

from polyrag_cli.languages.section import Section


class Sentences(Section):
    """Abbreviations, written without their last full stop.

    never_last: those that end no sentence ("Dr"). last_before_capital: those that end one when a capital follows
    ("etc"). before_figure: those that end none before a figure, a paragraph sign or a lower-case word ("p").
    name_particles: function words that may open a name behind an initial ("da", "von").
    ordinal_stop: whether a full stop behind a day's number makes it an ordinal ("3. Oktober").
    """

    never_last: frozenset[str]
    last_before_capital: frozenset[str]
    before_figure: frozenset[str]
    name_particles: frozenset[str]
    ordinal_stop: bool
