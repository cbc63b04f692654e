"""Stretches of neighbouring sentences that could be quoted, with what speaks for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.answering.asked import Asked
from polyrag_cli.answering.bounds import verdict
from polyrag_cli.answering.candidates import Passage, Sentence
from polyrag_cli.answering.expected import Kind
from polyrag_cli.scoring.repetition import passage_weight

# Of a stretch's score: the idf share of the question's words that it holds; of those that only the headings above it
# hold; of those that the document's title holds too, since they say what the document is about; its best sentence's
# cosine; its passage's score, and the second best one of its document.
_COVERAGE = 1.0
_ABOVE = 1.6
_TITLE = 0.6
_COSINE = 1.2
_PASSAGE = 0.55
_DOCUMENT = 0.45
# A kind of answer that fits, in the stretch and in its heading.
_KIND = 0.45
_KIND_ABOVE = 0.2
# The longer of two that say the same gives more to read around it.
_LENGTH = 0.1
# Words before the first sentence that holds a word of the question count this much against it.
_LEAD = 4.0
# The best of many stretches looks better by chance: a passage of this many sentences, or more, pays for it in full.
_CROWD = 0.5
_CROWDED = 20
# A sentence that a graph walk stepped on: that it leads to the answer need not show in its words.
_WALKED = 0.1
# What a stretch that stands in every document loses; others lose the share that their words weigh less.
_COMMON = 0.25
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


@dataclass(frozen=True, slots=True)
class _Place:
    """What all stretches of a passage share: the question's words, with the degree, that the headings above it hold,
    that the document's title holds and that the heading shown with it holds, and its part of their scores."""

    asked: Asked
    passage: Passage
    above: Mapping[str, float]
    title: Mapping[str, float]
    heading: Mapping[str, float]
    score: float


def stretches(asked: Asked, found: Sequence[Passage], max_words: int) -> list[Stretch]:
    """Every stretch of at most `max_words` words, and every sentence that is longer by itself; in order of the
    passages' ranks, their first and their last sentence.

    Headings that stand in the text say what a passage is about and answer nothing: none is a stretch by itself.
    """
    scores = _shares(found)
    of_document: dict[str, list[float]] = {}
    for passage, score in zip(found, scores, strict=True):
        of_document.setdefault(passage.chunk.document, []).append(score)
    second = {document: sorted(own)[-2] if len(own) > 1 else 0.0 for document, own in of_document.items()}
    return [
        stretch
        for passage, score in zip(found, scores, strict=True)
        for stretch in _of_passage(_place(asked, passage, score, second[passage.chunk.document]), max_words)
    ]


def _shares(found: Sequence[Passage]) -> list[float]:
    """The passages' scores as shares of the best one's."""
    top = max((passage.hit.score for passage in found), default=0.0)
    return [max(0.0, passage.hit.score) / top if top > 0.0 else 0.0 for passage in found]


def _place(asked: Asked, passage: Passage, score: float, second: float) -> _Place:
    crowd = min(1.0, len(passage.sentences) / _CROWDED)
    return _Place(
        asked,
        passage,
        asked.held(passage.above_stems),
        asked.held(passage.title_stems),
        asked.held(passage.heading_stems),
        _PASSAGE * score + _DOCUMENT * second - _CROWD * crowd,
    )


def _of_passage(place: _Place, max_words: int) -> Iterator[Stretch]:
    """The stretches of one passage."""
    passage = place.passage
    sentences = passage.sentences
    covered = [place.asked.held(sentence.stems) for sentence in sentences]
    # What only leads in to something answers nothing.
    answers = [bool(s.stems) and not s.leads_in and not s.stems <= passage.above_stems for s in sentences]
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
                # Where the heading alone is about the question, nothing in the stretch leads up to what is.
                length = _LENGTH * min(1.0, (words - _LEAD * (lead if held else 0)) / max_words)
                yield _stretch(place, range(first, last), dict(held), words, length)


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


def _stretch(place: _Place, span: range, held: dict[str, float], words: int, length: float) -> Stretch:
    """The stretch of the sentences in `span`; held: what they cover; length: what their number of words is worth."""
    asked, passage = place.asked, place.passage
    sentences = passage.sentences[span.start : span.stop]
    own = asked.share_of(held)
    beyond = asked.share_of(_beyond(place.above, held))
    both = asked.share_of({word: min(degree, held[word]) for word, degree in place.title.items() if word in held})
    inside = any(_answers(asked, sentence) for sentence in sentences)
    in_heading = asked.kind in passage.heading_kinds
    cosine = max(0.0, *passage.cosines[span.start : span.stop])
    score = place.score + _COVERAGE * own + _ABOVE * beyond + _TITLE * both + _COSINE * cosine + length
    score += bool(asked.kind) * (_KIND * inside + _KIND_ABOVE * in_heading) + _hinted(asked, passage, sentences)
    score -= _COMMON * _common(passage, span)
    shown = asked.share_of(_beyond(place.heading, held)) >= _HEADED
    return Stretch(
        passage,
        span.start,
        span.stop,
        held,
        shown or _fragments(passage, sentences) or (in_heading and not inside and asked.kind in _EXACT),
        round(min(1.0, own + beyond), _DECIMALS),
        cosine,
        words,
        round(score, _DECIMALS),
    )


def _answers(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence holds an answer of the kind asked for: a meaning, of a word of the question."""
    if asked.kind == "definition":
        return bool(asked.held(sentence.defined))
    return asked.kind in sentence.kinds


def _fragments(passage: Passage, sentences: Sequence[Sentence]) -> bool:
    """Whether sentences are items of a list that don't say themselves what they are about: their heading does."""
    items = all(sentence.is_item for sentence in sentences)
    return items and all(sentence.stems.isdisjoint(passage.heading_stems) for sentence in sentences)


def _common(passage: Passage, span: range) -> float:
    """The share, in [0, 1], that the words of a passage's sentences weigh less because many documents hold them."""
    if not passage.weights:
        return 0.0
    weights = [(passage.sentences[i].length, passage.weights[i]) for i in span]
    return 1.0 - passage_weight(weights)


def _beyond(above: Mapping[str, float], held: Mapping[str, float]) -> dict[str, float]:
    """What is held above a stretch more than in it."""
    return {word: degree - held.get(word, 0.0) for word, degree in above.items() if degree > held.get(word, 0.0)}


def _hinted(asked: Asked, passage: Passage, sentences: Sequence[Sentence]) -> float:
    """What limits and a graph walk say of a passage's sentences."""
    walked = passage.walked and any(s.start < end and s.end > begin for s in sentences for begin, end in passage.best)
    limits = tuple(limit for sentence in sentences for limit in sentence.limits)
    return _LIMIT * verdict(asked.amounts, limits) + _WALKED * walked
