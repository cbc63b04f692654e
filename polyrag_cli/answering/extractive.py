"""Answers made of the passages' own words, quoted as they stand.

Owns which stretches are quoted, in what order, and when none supports an answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from polyrag_cli.answering.asked import Asked, asked_of
from polyrag_cli.answering.asked_span import asked_span
from polyrag_cli.answering.candidates import passages
from polyrag_cli.answering.expected import Kind, asks_for_a_number
from polyrag_cli.answering.probability import Signs, signs_of, weights_of
from polyrag_cli.answering.quoting import Quote, moved, stated
from polyrag_cli.answering.stretches import Stretch, stretches
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.types import Hit

MAX_QUOTES = 3
# The step of a chain that names somebody new, where a person is asked for.
_NAMED = 0.2
# A further quote that says less than this share of the best one isn't worth reading.
_FLOOR = 0.5
# Nor is one that holds less than this share of the question's words that the best one holds.
_LEAST_SHARE = 0.3
# An answer is told briefly where its best stretch leads those of the other passages by this much: of 86 such questions
# about twelve folders 69 were answered by the first quote.
_CLEAR_LEAD = 1.45
# So is one that answers with this probability.
_SURE = 0.96
# What is known to answer by its headings is quoted at length: of its coverage the stretch itself holds less than this.
_ITSELF = 0.3
# What the words of a brief quote cost that is as long as one may be.
_BRIEF = 0.5
# The number behind each quote.
_MARK_WORDS = 1
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Extract:
    """An extractive answer; each source is one quote: `text` is exactly the document's characters `start` to `end`.

    probability: that the quotes answer, in [0, 1]. text: None, without sources, where that is too little.
    signs: what the probability is computed from; dense: whether cosines are among it.
    span: the characters of the text that are the very thing asked for, where that can be told.
    """

    text: str | None
    sources: tuple[Hit, ...]
    probability: float
    signs: Signs
    dense: bool
    span: tuple[int, int] | None = None

    @property
    def told(self) -> dict[str, float]:
        """The signs by the names of their weights, without a cosine where there is none, rounded to 1e-6."""
        signs = {name: round(value, _DECIMALS) for name, value in asdict(self.signs).items()}
        return signs if self.dense else {name: value for name, value in signs.items() if name != "cosine"}


def extract(query: Query, hits: Sequence[Hit], context: Context, max_words: int, least: float) -> Extract | None:
    """The stretches of the hits that answer best, at most three of at most `max_words` words each; none when they
    answer with a probability below `least`, None when there is nothing to quote.

    What leads clearly, or answers surely, is told briefly: all quotes together are no longer than one may be.
    """
    asked = asked_of(query, context)
    found = passages(query, hits, context)
    pool = stretches(asked, found, max_words - 1)
    if not pool or _foreign_year(asked, query):
        return None
    dense = context.embedder.dimension > 0 and bool(query.vector.any())
    signs = signs_of(asked, query.language, _of_kind(asked, pool))
    likely = weights_of(context.answer_probability, dense).probability(signs)
    if likely < least:
        return Extract(None, (), likely, signs, dense)
    clear = lead(pool) >= _CLEAR_LEAD or likely >= _SURE
    chosen = _chosen(asked, pool, max_words, brief=clear and _by_itself(asked, pool))
    quotes = [Quote(c.passage.hit, c.passage.chunk, c.start, c.end, c.passage.heading * c.headed) for c in chosen]
    text, sources = stated(quotes, max_words)
    # The first quote alone, without its mark: the others add to it.
    quoted = text.partition("\n")[0].rpartition(" [")[0]
    span = asked_span(asked.kind, query.utterance, quoted, chosen[0].passage.chunk.language)
    if asks_for_a_number(query.utterance):
        plain, (text, _) = text, stated(quotes, max_words, query.language)
        span = None if span is None else moved(span, plain, text)
    return Extract(text, sources, likely, signs, dense, span)


def _foreign_year(asked: Asked, query: Query) -> bool:
    """Whether the question names a year that no passage holds: what passages say is then about another one."""
    unknown = {term.word for term in asked.terms if not term.spelt}
    return any(n.year_like and n.text in unknown for n in query.utterance.numbers)


def lead(pool: Sequence[Stretch]) -> float:
    """What the best stretch's score lies above the mean of the other passages' best ones; all of it where there is no
    other passage.
    """
    best: dict[int, float] = {}
    for stretch in pool:
        best[stretch.passage.rank] = max(stretch.score, best.get(stretch.passage.rank, -math.inf))
    first, *others = sorted(best.values(), reverse=True)
    return round(first - (math.fsum(others) / len(others) if others else 0.0), _DECIMALS)


def _by_itself(asked: Asked, pool: Sequence[Stretch]) -> bool:
    """Whether the best stretch itself says what it is about, not its headings alone."""
    best = max(pool, key=lambda stretch: stretch.score)
    return asked.share_of(best.covered) >= _ITSELF * best.coverage


def _of_kind(asked: Asked, pool: Sequence[Stretch]) -> Sequence[Stretch]:
    """The stretches that may hold what is asked for: prose must not stand where a number was asked for."""
    if asked.kind != "count":
        return pool
    return [stretch for stretch in pool if _may_hold(asked.kind, stretch)]


def _may_hold(kind: Kind, stretch: Stretch) -> bool:
    """Whether a stretch or its heading may hold a kind of answer."""
    return kind in stretch.passage.heading_kinds or any(kind in sentence.kinds for sentence in stretch.sentences)


def _chosen(asked: Asked, pool: Sequence[Stretch], max_words: int, brief: bool) -> list[Stretch]:
    """The best stretch, then those that add most to what is chosen, best first; of equals the better passage, then
    what stands first and is short."""
    ordered = sorted(pool, key=lambda c: (-c.score, c.passage.rank, c.first, c.last))
    chosen: list[Stretch] = []
    best, left = 0.0, max_words if brief else MAX_QUOTES * max_words
    while len(chosen) < MAX_QUOTES:
        following, worth = _best(asked, ordered, chosen, left, _BRIEF / max_words if brief else 0.0)
        if following is None or (chosen and worth < _FLOOR * best):
            break
        best = best or worth
        chosen.append(following)
        left -= following.words + _MARK_WORDS
    return chosen


def _best(
    asked: Asked, ordered: Sequence[Stretch], chosen: Sequence[Stretch], left: int, per_word: float
) -> tuple[Stretch | None, float]:
    """What is worth most beside the stretches chosen, in fewer than `left` words, and how much; the first of equals.

    ordered: by falling score. per_word: what each word costs.
    """
    worth = _worth(asked, chosen, per_word)
    texts = {one.text for one in chosen}
    found, most = None, -math.inf
    for stretch in ordered:
        if stretch.score + _NAMED < most:
            break
        if chosen and (stretch.words >= left or any(stretch.overlaps(one) for one in chosen)):
            continue
        if chosen and stretch.coverage < _LEAST_SHARE * chosen[0].coverage:
            continue
        value = worth(stretch)
        if value > most and stretch.text not in texts:
            found, most = stretch, value
    return found, most


def _worth(asked: Asked, chosen: Sequence[Stretch], per_word: float) -> Callable[[Stretch], float]:
    """What a stretch is worth beside those chosen already; per_word: what each of its words costs."""
    own = {term.word for term in asked.terms}
    names = {name for one in chosen for sentence in one.sentences for name in sentence.names} - own

    def worth(stretch: Stretch) -> float:
        return round(stretch.score + _NAMED * _names_anew(asked, stretch, names) - per_word * stretch.words, _DECIMALS)

    return worth


def _names_anew(asked: Asked, stretch: Stretch, names: set[str]) -> bool:
    """Whether a step of a graph walk shares a name with what is chosen, and names somebody of whom neither the question
    nor that speaks."""
    if asked.kind != "person" or not stretch.passage.walked:
        return False
    if all(names.isdisjoint(sentence.names) for sentence in stretch.sentences):
        return False
    said = names | {term.word for term in asked.terms}
    return any(person.isdisjoint(said) for sentence in stretch.sentences for person in sentence.people)
