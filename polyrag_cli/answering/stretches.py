"""Stretches of neighbouring sentences that could be quoted, with what speaks for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.answering.asked import Asked
from polyrag_cli.answering.bounds import verdict
from polyrag_cli.answering.candidates import Passage, Sentence

# Of a stretch's score: the idf share of the question's words that it holds, those that only the headings above it
# hold, its best sentence's cosine, its passage's score, and a kind of answer that fits.
_COVERAGE = 1.0
_TITLED = 1.25
_COSINE = 1.3
_PASSAGE = 0.4
_KIND = 0.3
# The longer of two that say the same gives more to read around it.
_LENGTH = 0.15
# A sentence that a graph walk stepped on: that it leads to the answer need not show in its words.
_WALKED = 0.1
# A limit that the question's quantity keeps, or exceeds.
_LIMIT = 0.2
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Stretch:
    """The sentences `first` to `last` - 1 of a passage.

    covered: the question's words that it holds, with the degree (0–1). coverage: the share of the question, by idf,
    that it or its headings hold; words that the corpus doesn't hold count as missing. cosine: its best sentence's,
    never below 0. words: its length.
    """

    passage: Passage
    first: int
    last: int
    covered: Mapping[str, float]
    coverage: float
    cosine: float
    words: int
    score: float

    @property
    def sentences(self) -> Sequence[Sentence]:
        """What it is made of."""
        return self.passage.sentences[self.first : self.last]

    @property
    def start(self) -> int:
        """Offset of its first character in the document."""
        return self.passage.sentences[self.first].start

    @property
    def end(self) -> int:
        """Offset behind its last character in the document."""
        return self.passage.sentences[self.last - 1].end

    @property
    def text(self) -> str:
        """The document's characters from `start` to `end`, white space collapsed."""
        chunk = self.passage.chunk
        return " ".join(chunk.text[self.start - chunk.start : self.end - chunk.start].split())

    def overlaps(self, other: Stretch) -> bool:
        """Whether a sentence is in both."""
        same = self.passage.rank == other.passage.rank
        return same and self.first < other.last and other.first < self.last


def stretches(asked: Asked, found: Sequence[Passage], max_words: int) -> list[Stretch]:
    """Every stretch of at most `max_words` words, and every sentence that is longer by itself; in order of the
    passages' ranks, their first and their last sentence.

    Headings that stand in the text say what a passage is about and answer nothing: none is a stretch by itself.
    """
    top = max((passage.hit.score for passage in found), default=0.0)
    return [
        stretch
        for passage in found
        for stretch in _of_passage(asked, passage, max(0.0, passage.hit.score) / top if top > 0.0 else 0.0, max_words)
    ]


def _of_passage(asked: Asked, passage: Passage, rank: float, max_words: int) -> Iterator[Stretch]:
    """The stretches of one passage; rank: its score as a share of the best passage's."""
    sentences = passage.sentences
    covered = [asked.held(sentence.stems) for sentence in sentences]
    titled = asked.held(passage.title_stems)
    answers = [bool(s.stems) and not s.stems <= passage.title_stems for s in sentences]
    for first in range(len(sentences)):
        words, last, answering = 0, first, False
        held: dict[str, float] = {}
        while last < len(sentences) and (words + sentences[last].length <= max_words or last == first):
            words += sentences[last].length
            for word, degree in covered[last].items():
                held[word] = max(degree, held.get(word, 0.0))
            answering = answering or answers[last]
            last += 1
            if answering:
                own, above = _held(asked, held, titled)
                score = _score(asked, passage, first, last, own, above, rank) + _LENGTH * min(1.0, words / max_words)
                coverage = min(1.0, (own + above) / asked.total) if asked.total else 0.0
                cosine = max(0.0, *passage.cosines[first:last])
                yield Stretch(
                    passage,
                    first,
                    last,
                    dict(held),
                    round(coverage, _DECIMALS),
                    cosine,
                    words,
                    round(score, _DECIMALS),
                )


def _held(asked: Asked, held: Mapping[str, float], titled: Mapping[str, float]) -> tuple[float, float]:
    """The idf of the question's words that a stretch holds, and of those that its headings hold beyond that."""
    own = above = 0.0
    for term in asked.terms:
        degree = held.get(term.word, 0.0)
        own += term.weight * degree
        above += term.weight * max(0.0, titled.get(term.word, 0.0) - degree)
    return own, above


def _score(asked: Asked, passage: Passage, first: int, last: int, own: float, above: float, rank: float) -> float:
    """What speaks for the sentences `first` to `last` - 1, but for their length."""
    sentences = passage.sentences[first:last]
    score = (_COVERAGE * own + _TITLED * above) / asked.known if asked.known else 0.0
    score += _COSINE * max(0.0, *passage.cosines[first:last]) + _PASSAGE * rank
    score += _KIND * (bool(asked.kind) and any(asked.kind in sentence.kinds for sentence in sentences))
    score += _LIMIT * verdict(asked.amounts, tuple(limit for sentence in sentences for limit in sentence.limits))
    if passage.hit.source == "graph" and any(s.start < e and s.end > b for s in sentences for b, e in passage.best):
        score += _WALKED
    return score


def repeated(asked: Asked, stretch: Stretch, said: Mapping[str, float]) -> float:
    """The share of the question, by idf, that a stretch holds and that was `said` already."""
    both = [term for term in asked.terms if term.word in stretch.covered and term.word in said]
    shared = math.fsum(term.weight * min(stretch.covered[term.word], said[term.word]) for term in both)
    return shared / asked.known if asked.known else 0.0
