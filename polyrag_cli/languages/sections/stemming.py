"""Owns the table `[stemming]`: how a folded word gets its stem."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.kinds import AS_WRITTEN
from polyrag_cli.languages.section import Section


class Stemming(Section):
    """How a folded word gets its stem.

    algorithm: the Snowball stemmer, "" for none: then a plain plural loses its s.
    restored: what the stemmer needs and folding took: regular expressions over folded words, in their order, with what
    replaces the first that matches. unchanged: words that none of them applies to. irregular: words with their base.
    clitics: pronouns that a hyphen ties to a verb and that no stem is made of.
    """

    algorithm: str
    restored: Annotated[Mapping[str, str], AS_WRITTEN]
    unchanged: frozenset[str]
    irregular: Mapping[str, str]
    clitics: frozenset[str]
