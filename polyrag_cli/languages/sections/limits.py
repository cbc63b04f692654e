"""Owns the table `[limits]`: how a sentence states an interval of allowed values."""

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Limits(Section):
    """What stands before a figure that is a limit.

    above, below: before the least and the largest value; between, to: before the first and the second of two.
    """

    above: Cues
    below: Cues
    between: Cues
    to: Cues
