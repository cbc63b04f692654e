"""Owns the table `[greetings]`: greetings, and what they are answered with."""

from collections.abc import Mapping

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Greetings(Section):
    """Greetings by what is meant, and the replies.

    hello, thanks, leave: the phrases. words: all that a text may hold which does nothing but greet.
    replies: to hello, thanks and leave.
    """

    hello: Cues
    thanks: Cues
    leave: Cues
    words: frozenset[str]
    replies: Mapping[str, str]
