"""Owns the table `[names]`: words inside and between names, and what names do to each other."""

from polyrag_cli.languages.section import Section


class Names(Section):
    """Words around names, as texts of the language have them.

    connectors: small words inside a name ("of", "van"). loose_connectors: others that as often part two names.
    leading: articles that no name begins with.
    determiners: words besides articles that a noun follows ("every", "my"). noun_endings, adjective_endings: endings of
    nouns that no name has, of adjectives that have a noun behind them; verb_endings: of these, those of verbs as well.
    They matter where nouns have capitals, and are empty elsewhere.
    verbs: of relations between names, in any one form for each stem. auxiliaries: verbs beside those, or alone.
    fillers: small words that may stand in a relation besides verbs.
    """

    connectors: frozenset[str]
    loose_connectors: frozenset[str]
    leading: frozenset[str]
    determiners: frozenset[str]
    noun_endings: frozenset[str]
    adjective_endings: frozenset[str]
    verb_endings: frozenset[str]
    verbs: frozenset[str]
    auxiliaries: frozenset[str]
    fillers: frozenset[str]
