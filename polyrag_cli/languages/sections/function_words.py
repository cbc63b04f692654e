"""Owns the table `[function_words]`: words that carry no content of their own."""

from polyrag_cli.languages.section import Section


class FunctionWords(Section):
    """Words that carry no content.

    words: articles, prepositions, conjunctions, pronouns, auxiliary verbs, adverbs of degree.
    interrogatives: what a question asks with. requests: verbs and words that only ask for an answer.
    """

    words: frozenset[str]
    interrogatives: frozenset[str]
    requests: frozenset[str]
