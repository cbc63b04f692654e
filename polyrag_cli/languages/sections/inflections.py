"""Owns the table `[inflections]`: forms of words that follow from one that is listed."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.kinds import AS_WRITTEN
from polyrag_cli.languages.section import Section


class Inflections(Section):
    """Endings as regular expressions, each with what takes its place; of those that fit, the first holds.

    plurals, verbs: what an inflected list of words gains for each of its words. An ending that stays says that nothing
    is gained. Where no rule gives a form, lists have it: as a word of its own, or as an ending behind a stroke, which
    takes the place of a vowel if it begins with one ("vendido/a", "Kunde/n").
    singulars: of a word, the singular that it is the plural of: by meaning it is nearer to the name of a column.
    unstemmed: of a folded plural that the stemmer leaves apart from its singular, the singular.
    accents: of a folded word, the accents that its ending must have had.
    """

    plurals: Annotated[Mapping[str, str], AS_WRITTEN]
    verbs: Annotated[Mapping[str, str], AS_WRITTEN]
    singulars: Annotated[Mapping[str, str], AS_WRITTEN]
    unstemmed: Annotated[Mapping[str, str], AS_WRITTEN]
    accents: Annotated[Mapping[str, str], AS_WRITTEN]
