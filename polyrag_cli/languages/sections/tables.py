"""Owns the table `[tables]`: words of questions about tables, and of what is said about their figures."""

from collections.abc import Mapping
from typing import Annotated

from polyrag_cli.languages.kinds import AS_WRITTEN, INFLECTED
from polyrag_cli.languages.section import Section

Phrases = tuple[tuple[str, ...], ...]


class Grammar(Section):
    """Small words between those that count, and how sentences are built.

    compounds: whether nouns are written in one word with what describes them ("Kundenname").
    noun_last: whether what describes a noun stands before it. statements_ask: whether a statement with a question mark
    asks for a yes or a no.
    articles: what stands between an operation and the noun that it asks for. determiners: what makes a word of
    `asked_nouns` a noun. every: what says that all are meant. of: what joins a noun to the one it belongs to.
    per: what groups or says "for each"; agents: of these, what also says by whom something is done.
    joints: what joins. joining: what may stand between two values that are joined.
    relating: what relates a noun to the figure before it.
    range_joints: what stands between the ends of a range; range_starts: before them.
    counting: what ends a superlative of how many there are. often: what ends one of how often something occurs.
    singular_verbs: what speaks of one thing alone.
    verb_endings: what verbs end in that say how a thing took part ("played"), and hardly a noun does.
    yes_no_verbs: what opens a question that a yes or a no answers.
    predicating: verbs that say something of what stands before them ("the paid orders *were* from the North").
    """

    compounds: bool
    noun_last: bool
    statements_ask: bool
    articles: frozenset[str]
    determiners: frozenset[str]
    every: frozenset[str]
    of: frozenset[str]
    per: frozenset[str]
    agents: frozenset[str]
    joints: frozenset[str]
    joining: frozenset[str]
    relating: frozenset[str]
    range_joints: frozenset[str]
    range_starts: frozenset[str]
    counting: frozenset[str]
    often: frozenset[str]
    singular_verbs: frozenset[str]
    verb_endings: frozenset[str]
    yes_no_verbs: frozenset[str]
    predicating: frozenset[str]


class Negation(Section):
    """What turns a meaning round.

    words: what denies, in a cell; label_words: in a column's name.
    prefixes: what makes a word its opposite; other_prefixes: another word. assimilated: of the prefixes, how the word
    behind one begins anew ("il" before "legal" is written "ilegal": l).
    stating: what may stand between a negation and what it denies.
    undone: what says of the verb behind it, in the form that ends in one of `infinitives`, that it is still to be done
    ("por pagar"): it isn't.
    """

    words: frozenset[str]
    label_words: frozenset[str]
    prefixes: frozenset[str]
    other_prefixes: frozenset[str]
    assimilated: Mapping[str, str]
    stating: frozenset[str]
    undone: frozenset[str]
    infinitives: frozenset[str]


class Relating(Section):
    """What questions of several tables say besides what they ask for.

    verbs: what only says that things belong together, or where they are. every: what says that all are meant, one by
    one. owning: what says that something belongs to each. naming: what says that a name follows. counting: words of a
    superlative that compares how many there are. how: what makes a question of an adjective ("how big").
    """

    verbs: frozenset[str]
    every: frozenset[str]
    owning: frozenset[str]
    naming: frozenset[str]
    counting: frozenset[str]
    how: frozenset[str]


class Tables(Section):
    """Words of questions about tables.

    operators: by its name, the phrases that ask for it. A question with words of an operator that PolyRAG doesn't know
    yet is declined.
    statements: how an answer says what an operator did, {} being what it was done to, and what else answers say.
    most, least: superlatives that say themselves what they compare, by its notion ("cheapest": price).
    dimensions: adjectives by what they compare, where nothing else says it, by its notion ("taller": height).
    measured: questions that do so ("how old": age).
    notions: what columns and questions speak of, by an English name: the words that mean it, in any inflection.
    preferred: of the words of several notions, those of which one comes first. lacking: words that say that there is
    none of a notion, of which a column says yes or no ("unpaid").
    same_names: names that are the same thing in every language, by an English name.
    units: names of units that stand behind figures. date_parts: words for a day, date, month and year.
    borrows: codes of languages whose names of things are used as well ("score" in a Portuguese table).
    fillers: phrases that say nothing. generic: words that ask or connect and restrict nothing.
    taking_part: verbs that say how a thing took part in what a row records ("sold"): beside a named quantity they
    restrict nothing. Verbs that tell one row from another ("cancelled") don't belong here.
    trades: nouns for a sale or a purchase, in any number; one_trade: for a single one.
    rows: words for a row, whatever the table holds. listings: words for the table as a list.
    percents: what says per cent, also in the name of a column. parts: what may say so, of figures of 0 to 100, and may
    mean other things ("share capital"). rising, falling: of the words of
    growth, those that say that something became more, or less; neither: "change", "growth".
    rates: words in the name of a column whose figures don't add up. harms: in that of one of which more is worse.
    identifiers: words in that of one that numbers or
    names rows. amounts: words of counting that are nouns of a column as well. asked_nouns: requests that are nouns as
    well ("show"). joined: what is written together with the word behind it, and is a word of its own ("Gesamtumsatz").
    figures: words that ask for a figure besides those of the operators; no_figures: words of these that alone don't.
    short_parts: short names of parts of a year, {} being which, with their length in months.
    """

    borrows: tuple[str, ...]
    fillers: Phrases
    generic: frozenset[str]
    taking_part: Annotated[frozenset[str], INFLECTED]
    trades: frozenset[str]
    one_trade: frozenset[str]
    rows: frozenset[str]
    listings: frozenset[str]
    rates: frozenset[str]
    percents: frozenset[str]
    parts: frozenset[str]
    rising: frozenset[str]
    falling: frozenset[str]
    harms: frozenset[str]
    identifiers: frozenset[str]
    amounts: frozenset[str]
    asked_nouns: frozenset[str]
    joined: frozenset[str]
    figures: frozenset[str]
    no_figures: frozenset[str]
    short_parts: Mapping[str, int]
    grammar: Grammar
    negation: Negation
    operators: Mapping[str, Phrases]
    statements: Annotated[Mapping[str, str], AS_WRITTEN]
    most: Mapping[str, Phrases]
    least: Mapping[str, Phrases]
    measured: Mapping[str, Phrases]
    dimensions: Mapping[str, frozenset[str]]
    relating: Relating
    date_parts: Mapping[str, frozenset[str]]
    units: Mapping[str, frozenset[str]]
    same_names: Mapping[str, Phrases]
    preferred: Mapping[str, frozenset[str]]
    lacking: Annotated[Mapping[str, frozenset[str]], INFLECTED]
    notions: Annotated[Mapping[str, frozenset[str]], INFLECTED]
