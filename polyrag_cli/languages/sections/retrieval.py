"""Owns the table `[retrieval]`: what in a question decides how passages are looked for."""

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Retrieval(Section):
    """Cues of the strategies.

    verification: asks whether something is true. comparison: compares, or asks about all of something.
    variety: asks for kinds or examples. joints: what parts the things compared.
    """

    verification: Cues
    comparison: Cues
    variety: Cues
    joints: frozenset[str]
