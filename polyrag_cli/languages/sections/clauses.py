"""Owns the table `[clauses]`: by what a question that asks twice is cut in two."""

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Clauses(Section):
    """What joins two questions, and what only continues one.

    joints: what joins two questions; several may follow each other. continuing: what a part that leans on the one
    before begins with. leading: small words that may stand before an interrogative ("in which").
    imperatives: verbs that ask as an interrogative does ("list").
    behind_comma: interrogatives that behind a comma go on with the sentence ("…, when he asks").
    subordinate: interrogatives behind a joint that go on with a clause, by the next word ("when he", "what to").
    not_asking: phrases behind a joint that begin with an interrogative and ask nothing.
    always_asking: interrogatives that ask wherever they are written just so ("cuándo").
    """

    joints: tuple[tuple[str, ...], ...]
    continuing: frozenset[str]
    leading: frozenset[str]
    imperatives: frozenset[str]
    behind_comma: frozenset[str]
    subordinate: Cues
    not_asking: Cues
    always_asking: tuple[str, ...]
