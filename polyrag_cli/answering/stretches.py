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
_TITLED = 0.9
_COSINE = 0.9
_PASSAGE = 0.6
_KIND = 0.3
# A sentence that a graph walk stepped on: that it leads to the answer need not show in its words.
_WALKED = 0.1
# A limit that the question's quantity keeps, or exceeds.
_LIMIT = 0.2
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Stretch:
    """The sentences `first` to `last` - 1 of a passage.

    covered: the question's words that it holds, with the degree (0–1). spelt: the share of the question, by idf, that
    it or its headings hold as spelt; words that the corpus doesn't hold count as missing. cosine: its best sentence's,
    never below 0. words: its length.
    """

    passage: Passage
    first: int
    last: int
    covered: Mapping[str, float]
    spelt: float
    cosine: float
    kind: bool
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
    sentences = passage.sentences
    covered = [asked.held(sentence.stems) for sentence in sentences]
    titled = asked.held(passage.title_stems)
    answers = [bool(s.stems) and not s.stems <= passage.title_stems for s in sentences]
    for first in range(len(sentences)):
        words, last = 0, first
        held: dict[str, float] = {}
        while last < len(sentences) and (words + sentences[last].length <= max_words or last == first):
            words += sentences[last].length
            for word, degree in covered[last].items():
                held[word] = max(degree, held.get(word, 0.0))
            last += 1
            if any(answers[first:last]):
                yield _stretch(asked, passage, first, last, dict(held), titled, words, rank)


def _stretch(
    asked: Asked,
    passage: Passage,
    first: int,
    last: int,
    held: dict[str, float],
    titled: Mapping[str, float],
    words: int,
    rank: float,
) -> Stretch:
    """A stretch with its score; rank: its passage's score as a share of the best passage's."""
    own = above = spelt = 0.0
    for term in asked.terms:
        degree, heading = held.get(term.word, 0.0), titled.get(term.word, 0.0)
        own += term.weight * degree
        above += term.weight * max(0.0, heading - degree)
        spelt += term.weight * (max(degree, heading) == 1.0)
    known, total = asked.known or 1.0, asked.total or 1.0
    cosine = max(0.0, *passage.cosines[first:last])
    sentences = passage.sentences[first:last]
    kind = bool(asked.kind) and any(asked.kind in sentence.kinds for sentence in sentences)
    # What the question says in words that no passage holds, as in another language, is left to the cosine.
    score = asked.share * (_COVERAGE * own + _TITLED * above) / known + _COSINE * cosine
    score += _PASSAGE * rank + _KIND * kind
    score += _LIMIT * verdict(asked.amounts, tuple(limit for sentence in sentences for limit in sentence.limits))
    if passage.hit.source == "graph" and any(s.start < e and s.end > b for s in sentences for b, e in passage.best):
        score += _WALKED
    return Stretch(
        passage, first, last, held, round(spelt / total, _DECIMALS), cosine, kind, words, round(score, _DECIMALS)
    )


def repeated(asked: Asked, stretch: Stretch, said: Mapping[str, float]) -> float:
    """The share of the question, by idf, that a stretch holds and that was `said` already."""
    both = [term for term in asked.terms if term.word in stretch.covered and term.word in said]
    shared = math.fsum(term.weight * min(stretch.covered[term.word], said[term.word]) for term in both)
    return shared / asked.known if asked.known else 0.0
