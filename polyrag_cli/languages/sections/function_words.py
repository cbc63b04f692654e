"""Owns the table `[function_words]`: words that carry no content of their own."""

from polyrag_cli.languages.section import Section


class FunctionWords(Section):
    """Words that carry no content.

    words: articles, prepositions, conjunctions, pronouns, auxiliary verbs, adverbs of degree.
    interrogatives: what a question asks with. requests: verbs and words that only ask for an answer.
    articles: of nouns. of: what stands between a thing and whose it is.
    """

    articles: frozenset[str]
    of: frozenset[str]
    words: frozenset[str]
    interrogatives: frozenset[str]
    requests: frozenset[str]
