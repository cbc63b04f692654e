"""Owns the table `[expected]`: what kind of answer a question asks for, and what such an answer looks like."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.kinds import AS_WRITTEN
from polyrag_cli.languages.section import Section


class Expected(Section):
    """What an answer is expected to hold.

    kinds: what a question asks for (count, time, duration, place, reason, person, definition,
    name), the same in every file.
    figure: what asks for something that a figure answers.
    times: words of a sentence that says when; durations: units of time; frequencies: words for how
    often; causes: of one that says why; roles: people and bodies that are no names.
    defines: verbs between a thing and what it is; defined_as: what then opens what it is. means: verbs that say of a
    thing what it means, whatever follows; meaning: words of a question for that which no answer repeats.
    honorifics: what stands before a person's name; inside_names: small words inside a person's name.
    """

    kinds: Mapping[str, Cues]
    figure: Cues
    times: frozenset[str]
    durations: frozenset[str]
    frequencies: frozenset[str]
    causes: Cues
    roles: Cues
    defines: Cues
    defined_as: frozenset[str]
    means: Cues
    meaning: frozenset[str]
    honorifics: Annotated[frozenset[str], AS_WRITTEN]
    inside_names: frozenset[str]
