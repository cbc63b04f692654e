"""Answers made of the passages' own sentences, quoted as they stand.

Owns which sentences are quoted, in what order, and when none supports an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from polyrag_cli.answering.bounds import Amount, amounts, verdict
from polyrag_cli.answering.candidates import Passage, Sentence, passages
from polyrag_cli.answering.expected import Kind, asks_for_a_number, expected
from polyrag_cli.answering.quoting import Quote, stated
from polyrag_cli.scoring.bm25 import idf
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.soft import alike
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Hit

# Relevance: the idf share of the question's words that a sentence holds (its heading's count partly), and the cosine.
_COVERAGE = 0.8
_HEADING = 0.6
_COSINE = 0.2
# What a word that is like the question's counts beside the word itself.
_ALIKE = 0.4
# Hints: the passage's own score, a kind of answer that fits, lying in the passage's best window.
_PASSAGE = 0.8
_KIND = 0.15
_WINDOW = 0.03
# A sentence that a graph walk stepped on: that it leads to the answer need not show in its words.
_WALKED = 0.1
# A limit that the question's quantity keeps, or exceeds.
_LIMIT = 0.2
# Given what is chosen already: words covered twice, following on a chosen sentence, sharing a name with one.
_REPEATED = 0.6
_NEXT = 0.08
_LINK = 0.15
# The step of a chain that names somebody new, where a person is asked for.
_NAMED = 0.2
_TABLE_ROW = 0.5
# A sentence that says less than this share of the best one isn't quoted.
_FLOOR = 0.45
# Further steps of a graph walk share fewer words with the question.
_FLOOR_OF_CHAIN = 0.5
# Coverage and cosine together must reach the first, and up to the sum of both the more of the question is known to the
# corpus. It is low: whether the stores answer at all is the router's decision.
_MIN_SUPPORT = 0.2
_MIN_SUPPORT_KNOWN = 0.1
# The number behind each quote.
_MARK_WORDS = 1
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Extract:
    """An extractive answer; each source is one quote: `text` is exactly the document's characters `start` to `end`.

    support: in [0, 1], idf coverage plus cosine of the best sentence, words that no passage holds counted as missing.
    """

    text: str
    sources: tuple[Hit, ...]
    support: float


@dataclass(frozen=True, slots=True)
class _Term:
    """A content word of the question with its idf.

    known: the degree (0–1) to which the corpus holds it; spelt: whether it does as it is spelt.
    """

    word: str
    weight: float
    known: float
    spelt: bool


@dataclass(frozen=True, slots=True)
class _Question:
    """known: idf of the words that the corpus holds; total: of all words; amounts: the quantities that it names.

    meant: stem → the words that it stands for, with the degree (0–1).
    """

    terms: tuple[_Term, ...]
    meant: Mapping[str, Sequence[tuple[str, float]]]
    known: float
    total: float
    kind: Kind
    amounts: tuple[Amount, ...]

    @property
    def share(self) -> float:
        """The share of the question that the corpus holds, by idf."""
        return self.known / self.total if self.total else 0.0

    def held(self, stems: frozenset[str]) -> dict[str, float]:
        """The words that a text with these stems holds, with the degree."""
        degrees: dict[str, float] = {}
        for stem in self.meant.keys() & stems:
            for word, degree in self.meant[stem]:
                degrees[word] = max(degree, degrees.get(word, 0.0))
        return degrees


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence with its score; support counts words that the corpus doesn't hold as missing.

    covered: the question's words that it holds, with the degree.
    """

    passage: Passage
    index: int
    score: float
    support: float
    covered: Mapping[str, float]

    @property
    def sentence(self) -> Sentence:
        return self.passage.sentences[self.index]


def extract(query: Query, hits: Sequence[Hit], context: Context, max_words: int) -> Extract | None:
    """The sentences of the hits that answer best, at most `max_words` words; None when none supports an answer.

    Sentences are chosen one by one: each by its relevance, by what of the question it covers newly, and by the names
    that link it to those already chosen, so that a chain of passages is quoted along its links.
    """
    question = _question(query, context)
    dense = context.embedder.dimension > 0 and bool(query.vector.any())
    pool = _candidates(question, passages(query, hits, context), dense)
    if not pool:
        return None
    support = _support(question, pool)
    if support < _MIN_SUPPORT + _MIN_SUPPORT_KNOWN * question.share or _foreign_year(question, query):
        return None
    chosen = _chosen(question, pool, max_words)
    quotes = [Quote(c.passage.hit, c.passage.chunk, c.sentence.start, c.sentence.end) for c in chosen]
    text, sources = stated(quotes, max_words, query.language if asks_for_a_number(query.utterance) else None)
    return Extract(text, sources, support)


def _question(query: Query, context: Context) -> _Question:
    words = alike(query.utterance, context)
    every = sorted({stem for likeness in words.values() for stem, _ in likeness})
    n, frequency = context.stores.lexical.document_frequency(context.snapshot, every)
    terms = []
    meant: dict[str, list[tuple[str, float]]] = {}
    for word, likeness in words.items():
        held = {stem: value for stem, value in likeness if frequency.get(stem, 0)}
        exact = all_stems(word)
        spelt = any(stem in held for stem in exact)
        # Stems of one word under two languages are in different passages, or count twice where they are in one.
        df = math.fsum(value * frequency[stem] for stem, value in sorted(held.items()))
        if spelt:
            df = max(frequency.get(stem, 0) for stem in exact)
        known = 1.0 if spelt else _ALIKE * max(held.values(), default=0.0)
        terms.append(_Term(word, idf(n, min(float(n), df)), known, spelt))
        for stem, value in held.items():
            meant.setdefault(stem, []).append((word, 1.0 if stem in exact else _ALIKE * value))
    known_weight = math.fsum(term.weight * term.known for term in terms)
    given = amounts(query.utterance)
    total = math.fsum(term.weight for term in terms)
    return _Question(tuple(terms), meant, known_weight, total, expected(query.utterance), given)


def _support(question: _Question, pool: Sequence[_Candidate]) -> float:
    """The support of the best sentence; of a question for a figure, of the best one that holds a figure.

    Prose beside the point must not stand where a number was asked for.
    """
    figures = question.kind == "count"
    return max((c.support for c in pool if not figures or "count" in c.sentence.kinds), default=0.0)


def _foreign_year(question: _Question, query: Query) -> bool:
    """Whether the question names a year that no passage holds: what passages say is then about another one."""
    unknown = {term.word for term in question.terms if not term.spelt}
    return any(n.year_like and n.text in unknown for n in query.utterance.numbers)


def _candidates(question: _Question, found: Sequence[Passage], dense: bool) -> list[_Candidate]:
    top = max((passage.hit.score for passage in found), default=0.0)
    candidates = []
    for passage in found:
        rank = max(0.0, passage.hit.score) / top if top > 0 else 0.0
        for index, sentence in enumerate(passage.sentences):
            # A heading that stands in the text says what the passage is about, and answers nothing.
            if sentence.stems and not sentence.stems <= passage.title_stems:
                candidates.append(_candidate(question, passage, index, rank, dense))
    return candidates


def _candidate(question: _Question, passage: Passage, index: int, rank: float, dense: bool) -> _Candidate:
    """One sentence's score; rank is its passage's score as a share of the best passage's."""
    sentence, cosine = passage.sentences[index], max(0.0, passage.cosines[index])
    covered, headed = question.held(sentence.stems), question.held(passage.title_stems)
    held = spelt = 0.0
    for term in question.terms:
        degree = covered.get(term.word, 0.0)
        above = max(0.0, headed.get(term.word, 0.0) - degree)
        held += term.weight * (degree + _HEADING * above)
        spelt += term.weight * ((degree == 1.0) + _HEADING * (degree < 1.0 and headed.get(term.word) == 1.0))
    score = held / question.known if question.known else 0.0
    if dense:
        # What the question says in words that no passage holds, as in another language, is left to the cosine.
        share = question.share
        score = share * (_COVERAGE * score + _COSINE * cosine) + (1.0 - share) * cosine
    score += _PASSAGE * rank + _KIND * (question.kind in sentence.kinds)
    if any(sentence.start < end and sentence.end > start for start, end in passage.best):
        score += _WALKED if passage.hit.source == "graph" else _WINDOW
    score += _LIMIT * verdict(question.amounts, sentence.limits)
    if sentence.text.lstrip().startswith("|"):
        score *= _TABLE_ROW
    support = min(1.0, (spelt / question.total if question.total else 0.0) + cosine)
    return _Candidate(passage, index, round(score, _DECIMALS), round(support, _DECIMALS), covered)


def _names_anew(question: _Question, candidate: _Candidate, names: AbstractSet[str]) -> bool:
    """Whether a step of a graph walk names somebody of whom neither the question nor the names chosen speak."""
    if question.kind != "person" or candidate.passage.hit.source != "graph":
        return False
    said = names | {term.word for term in question.terms}
    return any(person.isdisjoint(said) for person in candidate.sentence.people)


def _chosen(question: _Question, pool: Sequence[_Candidate], max_words: int) -> list[_Candidate]:
    """Greedy choice under the budget; the best sentence comes first, whatever its length."""
    weights = {term.word: term.weight / question.known for term in question.terms if term.known}
    asked = {term.word for term in question.terms}
    chosen: list[_Candidate] = []
    left, rest = max_words, list(pool)
    covered: dict[str, float] = {}
    names: set[str] = set()
    places: set[tuple[int, int]] = set()
    texts: set[str] = set()

    def value(candidate: _Candidate) -> tuple[float, int, int]:
        # Half a sentence is worth half.
        worth = candidate.score * min(1.0, max_words / (candidate.sentence.length + _MARK_WORDS))
        if chosen:
            both = sorted(candidate.covered.keys() & covered.keys())
            repeated = math.fsum(weights.get(w, 0.0) * min(candidate.covered[w], covered[w]) for w in both)
            worth -= _REPEATED * question.share * _COVERAGE * repeated
            worth += _NEXT * ((candidate.passage.rank, candidate.index - 1) in places)
            linked = not names.isdisjoint(candidate.sentence.names)
            worth += _LINK * linked
            worth += _NAMED * (linked and _names_anew(question, candidate, names))
        return round(worth, _DECIMALS), -candidate.passage.rank, -candidate.index

    while rest:
        best = max(rest, key=value)
        rest.remove(best)
        floor = _FLOOR_OF_CHAIN if best.passage.hit.source == "graph" else _FLOOR
        if chosen and value(best)[0] < floor * chosen[0].score:
            break
        text = " ".join(best.sentence.text.split())
        if text in texts or (chosen and best.sentence.length + _MARK_WORDS > left):
            continue
        chosen.append(best)
        left -= best.sentence.length + _MARK_WORDS
        texts.add(text)
        places.add((best.passage.rank, best.index))
        covered.update({word: max(degree, covered.get(word, 0.0)) for word, degree in best.covered.items()})
        names |= best.sentence.names - asked
    return chosen
