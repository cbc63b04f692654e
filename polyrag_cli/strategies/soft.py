"""Soft term matching: passages that hold the question's words, or words that say nearly the same.

Owns what stands for a word of a question.
"""

from __future__ import annotations

from polyrag_cli.stores.records import LexicalHit
from polyrag_cli.strategies.base import Context
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.number_forms import number_forms
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.vocabulary import is_plain_word

# Two words whose cosine is at most this have nothing to do with each other; above it likeness rises to 1 in proportion.
TAU_TERM = 0.4
NEAREST_TERMS = 20
MAX_WORDS = 64

Likeness = tuple[tuple[str, float], ...]


def soft_head(question: Utterance, context: Context, k: int) -> list[LexicalHit]:
    """The k chunks with the highest soft coverage of a question; none without word vectors."""
    if context.embedder.dimension == 0 or context.stores.terms is None:
        return []
    return context.stores.lexical.soft_search(context.snapshot, list(alike(question, context).values()), k)


def alike(question: Utterance, context: Context) -> dict[str, Likeness]:
    """For each content word of a question, folded, the stems that stand for it with their likeness in (0, 1].

    Its own stems and those of a number written otherwise have likeness 1; those of the words nearest to it what their
    cosine is worth. Figures, identifiers and, without word vectors, all words stand for themselves alone.
    """
    found = {word.folded: word for word in question.content}
    chosen = dict(list(found.items())[:MAX_WORDS])
    plain = {folded: word.text.lower() for folded, word in chosen.items() if is_plain_word(word)}
    near: dict[str, tuple[tuple[str, float], ...]] = {}
    if plain and context.stores.terms is not None and context.embedder.dimension:
        lists = context.stores.terms.nearest(
            context.snapshot, list(plain.values()), context.embedder.embed, NEAREST_TERMS, TAU_TERM
        )
        near = dict(zip(plain, lists, strict=True))
    forms = {folded: number_forms(folded, question.language) for folded in chosen}
    return {folded: _stems((folded, *forms[folded]), near.get(folded, ())) for folded in chosen}


def likeness_of(cosine: float) -> float:
    """(cosine - τ) / (1 - τ), rounded to 1e-6 and never below 0."""
    return max(0.0, round((cosine - TAU_TERM) / (1.0 - TAU_TERM), 6))


def _stems(spellings: tuple[str, ...], near: tuple[tuple[str, float], ...]) -> Likeness:
    likeness = {stem: 1.0 for spelling in spellings for stem in all_stems(spelling)}
    for term, cosine in near:
        for stem in all_stems(fold_word(term)):
            likeness[stem] = max(likeness.get(stem, 0.0), likeness_of(cosine))
    return tuple(sorted((stem, value) for stem, value in likeness.items() if value))
