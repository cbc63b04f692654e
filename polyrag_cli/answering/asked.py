"""A question as the corpus holds it: which of its words passages know, how rare each is, and what stands for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.answering.bounds import Amount, amounts
from polyrag_cli.answering.expected import Kind, expected, interrogative
from polyrag_cli.scoring.bm25 import idf
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.soft import alike

# What a word that is like the question's counts beside the word itself.
_ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of the question with its idf.

    known: the degree (0–1) to which the corpus holds it; spelt: whether it does as it is spelt.
    """

    word: str
    weight: float
    known: float
    spelt: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """known: idf of the words that the corpus holds; total: of all words; amounts: the quantities that it names;
    passages: how many the corpus has.

    meant: stem → the words that it stands for, with the degree (0–1).
    """

    terms: tuple[Term, ...]
    meant: Mapping[str, Sequence[tuple[str, float]]]
    known: float
    total: float
    kind: Kind
    amounts: tuple[Amount, ...]
    passages: int

    @property
    def share(self) -> float:
        """The share of the question that the corpus holds, by idf."""
        return self.known / self.total if self.total else 0.0

    def share_of(self, degrees: Mapping[str, float]) -> float:
        """The share of the question, by idf, that some of its words make up, each held to a degree (0–1)."""
        weight = math.fsum(term.weight * degrees.get(term.word, 0.0) for term in self.terms)
        return weight / self.total if self.total else 0.0

    def held(self, stems: frozenset[str]) -> dict[str, float]:
        """The words that a text with these stems holds, with the degree."""
        degrees: dict[str, float] = {}
        for stem in self.meant.keys() & stems:
            for word, degree in self.meant[stem]:
                degrees[word] = max(degree, degrees.get(word, 0.0))
        return degrees


def asked_of(query: Query, context: Context) -> Asked:
    """What the corpus of a snapshot holds of a question."""
    asking = interrogative(query.utterance)
    words = {word: likeness for word, likeness in alike(query.utterance, context).items() if word not in asking}
    every = sorted({stem for likeness in words.values() for stem, _ in likeness})
    n, frequency = context.stores.lexical.document_frequency(context.snapshot, every)
    terms = []
    meant: dict[str, list[tuple[str, float]]] = {}
    for word, likeness in words.items():
        held = {stem: value for stem, value in likeness if frequency.get(stem, 0)}
        exact = [stem for stem, value in likeness if value == 1.0]
        spelt = any(stem in held for stem in exact)
        # Stems of one word under two languages are in different passages, or count twice where they are in one.
        df = math.fsum(value * frequency[stem] for stem, value in sorted(held.items()))
        if spelt:
            df = max(frequency.get(stem, 0) for stem in exact)
        known = 1.0 if spelt else _ALIKE * max(held.values(), default=0.0)
        terms.append(Term(word, idf(n, min(float(n), df)), known, spelt))
        for stem, value in held.items():
            meant.setdefault(stem, []).append((word, 1.0 if stem in exact else _ALIKE * value))
    known_weight = math.fsum(term.weight * term.known for term in terms)
    total = math.fsum(term.weight for term in terms)
    return Asked(tuple(terms), meant, known_weight, total, expected(query.utterance), amounts(query.utterance), n)
