"""Owns the look-up of a language's `[slots]`: for each word what it says about a question, made once a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.schema import Language

# What may be typed around politeness.
_BEFORE, _BETWEEN, _BEHIND = r"[\s,;:!.¿¡]*", r"[\s,;]*", r"[\s.!?]*"
# The beginning of a word as short as this is too many words' beginning.
_SHORTEST = 4
# Beginnings of concepts are looked up by so many letters; none is shorter.
_INDEXED = 3


@dataclass(frozen=True)
class SlotLookup:
    """A language's words by what they say; all are folded.

    hard: function words with what they mean. markers: prepositions with the role that they give. going: verbs that
    give it. tenses: verbs with their time. negators: words that negate. two_ended: axes of two ends. lead, tail:
    politeness at either end of a text.
    """

    hard: Mapping[str, str]
    markers: Mapping[str, str]
    going: Mapping[str, str]
    tenses: Mapping[str, str]
    negators: frozenset[str]
    months: Mapping[str, int]
    two_ended: frozenset[str]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    _whole: Mapping[str, tuple[tuple[str, int], ...]]
    _beginnings: tuple[tuple[str, tuple[str, int]], ...]
    _concepts: Mapping[str, frozenset[str]]
    _concept_beginnings: Mapping[str, tuple[tuple[str, str], ...]]

    def axis_ends(self, folded: str) -> tuple[tuple[str, int], ...]:
        """The (axis, end) pairs that a folded word names, sorted."""
        found = set(self._whole.get(folded, ()))
        if len(folded) >= _SHORTEST:
            found.update(end for beginning, end in self._beginnings if folded.startswith(beginning))
        return tuple(sorted(found))

    def concepts(self, folded: str) -> frozenset[str]:
        """What a folded word may mean, by the names under which a language file groups what means the same."""
        found = self._concepts.get(folded, frozenset())
        near = self._concept_beginnings.get(folded[:_INDEXED], ())
        return found | {concept for beginning, concept in near if folded.startswith(beginning)}


@cache
def slot_lookup(language: Language) -> SlotLookup:
    """The look-up of a language, or of the undetermined one."""
    slots = language.slots
    markers = _by_word(slots.markers)
    negators = slots.negators
    if language.code == UNDETERMINED:
        # A negation of one language may be a preposition of another ("no"), and that is the commoner.
        negators -= markers.keys()
    whole: dict[str, tuple[tuple[str, int], ...]] = {}
    beginnings = []
    for axis, ends in slots.axes.items():
        for number, words in enumerate(ends):
            for word in sorted(words):
                if word.endswith("*"):
                    beginnings.append((word[:-1], (axis, number)))
                else:
                    whole[word] = (*whole.get(word, ()), (axis, number))
    concepts, concept_beginnings = _by_concept(slots.concepts)
    return SlotLookup(
        hard=_by_word(slots.hard),
        markers=markers,
        going=_by_word(slots.going),
        tenses=_by_word(slots.tenses),
        negators=negators,
        months={name: number for number, names in enumerate(language.dates.months, 1) for name in names},
        two_ended=frozenset(axis for axis, ends in slots.axes.items() if len(ends) == 2),
        lead=re.compile(rf"{_BEFORE}{slots.polite_leads.whole}"),
        tail=re.compile(rf"{_BETWEEN}{slots.polite_tails.whole}{_BEHIND}$"),
        _whole=whole,
        _beginnings=tuple(beginnings),
        _concepts=concepts,
        _concept_beginnings=concept_beginnings,
    )


def _by_concept(
    named: Mapping[str, frozenset[str]],
) -> tuple[dict[str, frozenset[str]], dict[str, tuple[tuple[str, str], ...]]]:
    """Whole words with their concepts; and beginnings with theirs, by their first letters."""
    whole: dict[str, frozenset[str]] = {}
    beginnings: dict[str, tuple[tuple[str, str], ...]] = {}
    for concept, words in named.items():
        for word in sorted(words):
            if word.endswith("*"):
                first = word[:_INDEXED]
                beginnings[first] = (*beginnings.get(first, ()), (word[:-1], concept))
            else:
                whole[word] = whole.get(word, frozenset()) | {concept}
    return whole, beginnings


def _by_word(names: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Words with the name that they stand under; with the first where a word stands under several."""
    return {word: name for name in reversed(list(names)) for word in names[name]}
