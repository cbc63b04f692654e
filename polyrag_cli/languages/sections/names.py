"""Owns the table `[names]`: words inside and between names, and what names do to each other."""

from polyrag_cli.languages.section import Section


class Names(Section):
    """Words around names, as texts of the language have them.

    connectors: small words inside a name ("of", "van"). loose_connectors: others that as often part two names.
    leading: articles that no name begins with.
    verbs: of relations between names, in any one form for each stem. auxiliaries: verbs beside those, or alone.
    fillers: small words that may stand in a relation besides verbs.
    """

    connectors: frozenset[str]
    loose_connectors: frozenset[str]
    leading: frozenset[str]
    verbs: frozenset[str]
    auxiliaries: frozenset[str]
    fillers: frozenset[str]
