"""Stretches of neighbouring sentences that could be quoted, with what speaks for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.answering.asked import Asked
from polyrag_cli.answering.bounds import verdict
from polyrag_cli.answering.candidates import Passage, Sentence
from polyrag_cli.answering.expected import Kind

# Of a stretch's score: the idf share of the question's words that it holds, those that only the headings above it
# hold, its best sentence's cosine, its passage's score, and a kind of answer that fits.
_COVERAGE = 1.0
_TITLED = 1.25
_COSINE = 1.3
_PASSAGE = 0.4
_KIND = 0.3
# The longer of two that say the same gives more to read around it.
_LENGTH = 0.1
# Words before the first sentence that holds a word of the question count this much against it.
_LEAD = 4.0
# A sentence that a graph walk stepped on: that it leads to the answer need not show in its words.
_WALKED = 0.1
# A limit that the question's quantity keeps, or exceeds.
_LIMIT = 0.2
# The share of the question from which on what only the heading says is shown with a quote.
_HEADED = 0.1
# Kinds that a heading holds surely; any capital may be a name or a place.
_EXACT: frozenset[Kind] = frozenset(("count", "time", "duration"))
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Stretch:
    """The sentences `first` to `last` - 1 of a passage.

    covered: the question's words that it holds, with the degree (0–1). headed: whether its heading says a part of the
    answer, or of the question, that it doesn't say itself. coverage: the share of the question, by idf,
    that it or its headings hold; words that the corpus doesn't hold count as missing. cosine: its best sentence's,
    never below 0. words: its length.
    """

    passage: Passage
    first: int
    last: int
    covered: Mapping[str, float]
    headed: bool
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
    # What only leads in to something answers nothing.
    answers = [bool(s.stems) and not s.leads_in and not s.stems <= passage.title_stems for s in sentences]
    longest = max_words - passage.heading_words
    inside = _inside_lists(sentences, longest)
    for first in (number for number in range(len(sentences)) if number not in inside):
        words, lead, last, answering, listing = 0, 0, first, False, False
        held: dict[str, float] = {}
        while last < len(sentences) and (words + sentences[last].length <= longest or last == first):
            sentence = sentences[last]
            words += sentence.length
            lead += 0 if held or covered[last] else sentence.length
            for word, degree in covered[last].items():
                held[word] = max(degree, held.get(word, 0.0))
            answering = answering or answers[last]
            listing = sentence.leads_in or (listing and sentence.is_item)
            last += 1
            following = sentences[last] if last < len(sentences) else None
            fits = following is not None and words + following.length <= longest
            # What a sentence leads in to belongs to it: the next one, or the whole list; so does a short list's rest.
            more = sentence.leads_in or (listing and following is not None and following.is_item)
            unfinished = last in inside or (fits and more)
            if answering and not unfinished:
                yield _stretch(
                    asked, passage, first, last, dict(held), titled, words, rank, (words - _LEAD * lead) / max_words
                )


def _inside_lists(sentences: Sequence[Sentence], longest: int) -> frozenset[int]:
    """The places of the items that stand behind another of a list of at most `longest` words: such a list is one."""
    found: set[int] = set()
    first = 0
    while first < len(sentences):
        last = first
        while last < len(sentences) and sentences[last].is_item:
            last += 1
        if sum(sentence.length for sentence in sentences[first:last]) <= longest:
            found.update(range(first + 1, last))
        first = max(last, first + 1)
    return frozenset(found)


def _stretch(
    asked: Asked,
    passage: Passage,
    first: int,
    last: int,
    held: dict[str, float],
    titled: Mapping[str, float],
    words: int,
    rank: float,
    length: float,
) -> Stretch:
    own, above = _held(asked, held, titled)
    inside = any(asked.kind in sentence.kinds for sentence in passage.sentences[first:last])
    in_heading = not inside and asked.kind in passage.heading_kinds
    cosine = max(0.0, *passage.cosines[first:last])
    score = (_COVERAGE * own + _TITLED * above) / asked.known if asked.known else 0.0
    score += _COSINE * cosine + _PASSAGE * rank + _LENGTH * min(1.0, length)
    score += _KIND * (bool(asked.kind) and (inside or in_heading)) + _hinted(asked, passage, first, last)
    return Stretch(
        passage,
        first,
        last,
        held,
        (in_heading and asked.kind in _EXACT) or above >= _HEADED * asked.total,
        round(min(1.0, (own + above) / asked.total), _DECIMALS) if asked.total else 0.0,
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


def _hinted(asked: Asked, passage: Passage, first: int, last: int) -> float:
    """What limits and a graph walk say of the sentences `first` to `last` - 1."""
    sentences = passage.sentences[first:last]
    walked = passage.hit.source == "graph" and any(
        s.start < end and s.end > begin for s in sentences for begin, end in passage.best
    )
    limits = tuple(limit for sentence in sentences for limit in sentence.limits)
    return _LIMIT * verdict(asked.amounts, limits) + _WALKED * walked


def repeated(asked: Asked, stretch: Stretch, said: Mapping[str, float]) -> float:
    """The share of the question, by idf, that a stretch holds and that was `said` already."""
    both = [term for term in asked.terms if term.word in stretch.covered and term.word in said]
    shared = math.fsum(term.weight * min(stretch.covered[term.word], said[term.word]) for term in both)
    return shared / asked.known if asked.known else 0.0
