"""Owns the table `[arithmetic]`: sums in words."""

from collections.abc import Mapping

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Arithmetic(Section):
    """How sums are asked for and said.

    asks: what stands before a sum. signs: the words for +, -, *, /, ^ and %. of: what joins a percentage to its whole.
    replies: what is said of a sum without a value, because it divides by zero or because it is too large (size).
    """

    asks: Cues
    signs: Mapping[str, Cues]
    of: frozenset[str]
    replies: Mapping[str, str]
