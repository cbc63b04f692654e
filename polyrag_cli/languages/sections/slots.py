"""Owns the table `[slots]`: words by which two questions are told apart, for the cache of answers."""

from collections.abc import Mapping

from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.section import Section


class Slots(Section):
    """What must be equal for two questions to ask the same; names and their order are the same in every file.

    axes: for each opposition the words of its ends ("large", "small"); a word may end in "*".
    concepts: words that may stand for one another in a question, in one language and across them ("*" as with axes).
    kinds: what an interrogative asks for; yes_no: words that open a question for yes or no; existential: those that
    open one for what there is ("are there"), which asks for a list as much.
    universal: words that speak of all of something.
    hard: function words that change what is asked, by what they mean.
    markers: prepositions by what they make of the word behind them; commutative: what joins words in either order.
    going: verbs that say no more of a place than the marker: from, to.
    negators, obligation: words that negate, that oblige; possibility: what allows.
    tenses: verbs by the time that they speak of; past_endings: of verbs that need none of these for the past.
    contractions: words, or endings of words, with the words that they stand for ("n't" for "not").
    light: words that hardly narrow a question; common: words so general that a question put in other words may do
    without; empty: words that say nothing about what is asked.
    polite_leads, polite_tails: what a question may begin and end with besides what it asks.
    """

    axes: Mapping[str, tuple[frozenset[str], ...]]
    concepts: Mapping[str, frozenset[str]]
    kinds: Mapping[str, Cues]
    yes_no: Cues
    existential: Cues
    universal: frozenset[str]
    hard: Mapping[str, frozenset[str]]
    markers: Mapping[str, frozenset[str]]
    going: Mapping[str, frozenset[str]]
    commutative: frozenset[str]
    negators: frozenset[str]
    obligation: frozenset[str]
    possibility: Cues
    tenses: Mapping[str, frozenset[str]]
    past_endings: frozenset[str]
    contractions: Mapping[str, str]
    light: frozenset[str]
    common: frozenset[str]
    empty: frozenset[str]
    polite_leads: Cues
    polite_tails: Cues
