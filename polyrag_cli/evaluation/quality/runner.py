"""Runs a labelled set through the engine and counts. Owns how each measure of a question is taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from polyrag_cli.config import digest
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.cache_hits import false_hits
from polyrag_cli.evaluation.quality.measures import counts, intervals, means
from polyrag_cli.scoring.metrics import contains_fact, contains_marker, ndcg_at_k, recall_at_k, reciprocal_rank
from polyrag_cli.types import Answer, EvalItem, Hit, RouteDecision

DEPTH = 10
"""Sources that recall@10 and nDCG@10 look at."""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One question: what was answered, and each metric that its labels allow (True/False or a share).

    hits: chunk ids of the answer's sources, in order. false_hit: the question whose answer the cache would serve.
    labels: 16 hex digits over what the item says a right answer shows.
    """

    question: str
    expected: tuple[str, ...]
    routes: tuple[str, ...]
    answer: str | None
    words: int
    took_ms: float
    scores: Mapping[str, float]
    lang: str = ""
    tags: tuple[str, ...] = ()
    sql: str | None = None
    hits: tuple[str, ...] = ()
    decision: RouteDecision | None = None
    false_hit: str = ""
    labels: str = ""


@dataclass(frozen=True, slots=True)
class EvalReport:
    """`overall`, `routes`, `langs` and `tags` hold metric → mean, `counts` metric → number of questions judged.

    longest_answer_words: of all answers; shows what `facts` was bought with.
    intervals, route_intervals: metric → 95 % bootstrap interval.
    """

    questions: int
    overall: Mapping[str, float]
    counts: Mapping[str, int]
    routes: Mapping[str, Mapping[str, float]]
    longest_answer_words: int
    items: tuple[ItemResult, ...]
    langs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    tags: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    route_intervals: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)


def run_set(engine: Engine, items: Sequence[EvalItem], on_item: Callable[[int, int], None] | None = None) -> EvalReport:
    """Asks every question with the cache off and scores the answers; then the cache is tried on them, where enabled."""
    results, answers = [], []
    for number, item in enumerate(items, 1):
        answer = engine.ask(item.question, use_cache=False)
        answers.append(answer)
        results.append(score_item(item, answer, _further_hits(engine, item, answer)))
        if on_item:
            on_item(number, len(items))
    if engine.settings.cache.enabled:
        wrong = false_hits(engine, items, answers)
        results = [_with_false_hit(result, other) for result, other in zip(results, wrong, strict=True)]
    return summary(results)


def summary(results: Sequence[ItemResult]) -> EvalReport:
    """The counts over all questions and by expected route, language and tag; at least one result."""
    by_route = _grouped((route_group(result), result) for result in results)
    by_lang = _grouped((result.lang, result) for result in results if result.lang)
    by_tag = _grouped((tag, result) for result in results for tag in dict.fromkeys(result.tags))
    return EvalReport(
        questions=len(results),
        overall=means(*_columns(results)),
        counts=counts([result.scores for result in results]),
        routes={name: means(*_columns(group)) for name, group in by_route.items()},
        longest_answer_words=max((r.words for r in results), default=0),
        items=tuple(results),
        langs={name: means(*_columns(group)) for name, group in by_lang.items()},
        tags={name: means(*_columns(group)) for name, group in by_tag.items()},
        intervals=intervals(*_columns(results)),
        route_intervals={name: intervals(*_columns(group)) for name, group in by_route.items()},
    )


def route_group(result: ItemResult) -> str:
    """The expected route, "compound" for several and "none" for questions that are to be declined or not judged."""
    return result.expected[0] if len(result.expected) == 1 else "compound" if result.expected else "none"


def score_item(item: EvalItem, answer: Answer, further: Sequence[Hit] = ()) -> ItemResult:
    """Every metric that the item's labels allow.

    further: passages after the answer's sources, for recall@10 and nDCG@10.
    router: the decided routes are the expected ones. recall@k: share of markers (or gold documents) among the first
    k sources. mrr: 1/rank of the first source with any. ndcg@10: see scoring.metrics. facts: the answer holds all of
    them. precision: a given answer holds all of them; not judged where none is given. coverage: something was answered
    that should be; empty_rate: nothing was. declined: nothing was answered, rightly.
    """
    text = answer.answer or ""
    wanted = (*item.facts, *item.values)
    answered = answer.answer is not None
    scores: dict[str, float] = {}
    if item.routes:
        scores["router"] = float(set(answer.routes) == set(item.routes))
    scores.update(_ranking_scores(item, answer.sources, further))
    right = bool(wanted) and all(contains_fact(text, fact) for fact in wanted)
    if wanted:
        scores["facts"] = float(right)
    if answered and (wanted or item.declines):
        scores["precision"] = float(right and not item.declines)
    if item.declines:
        scores["declined"] = float(not answered)
    else:
        scores["coverage"], scores["empty_rate"] = float(answered), float(not answered)
    return ItemResult(
        question=item.question,
        expected=item.routes,
        routes=answer.routes,
        answer=answer.answer,
        words=len(text.split()),
        took_ms=answer.took_ms,
        scores=scores,
        lang=item.lang,
        tags=item.tags,
        sql=answer.sql,
        hits=tuple(hit.chunk_id for hit in answer.sources),
        decision=answer.decision,
        labels=digest(asdict(replace(item, lang="", tags=()))),
    )


def _ranking_scores(item: EvalItem, sources: Sequence[Hit], further: Sequence[Hit]) -> dict[str, float]:
    ranks = _ranks(item, sources)
    if ranks is None:
        return {}
    deep = _ranks(item, (*sources, *further)) or ranks
    return {
        "recall@1": recall_at_k(ranks, 1),
        "recall@5": recall_at_k(ranks, 5),
        "recall@10": recall_at_k(deep, DEPTH),
        "mrr": reciprocal_rank(ranks),
        "ndcg@10": round(ndcg_at_k(deep, DEPTH), 6),
    }


def _further_hits(engine: Engine, item: EvalItem, answer: Answer) -> tuple[Hit, ...]:
    """Passages of a search that an answer's sources lack, up to ten in all.

    An answer draws on `answer.top_k` passages; asking with more would change the answer. The search costs a second
    retrieval, so it runs only when something relevant isn't among the sources: otherwise no rank depends on it. A
    question without an answer shows no sources, and none come after them.
    """
    ranks = _ranks(item, answer.sources)
    if ranks is None or None not in ranks or not answer.sources or len(answer.sources) >= DEPTH:
        return ()
    known = {hit.chunk_id for hit in answer.sources}
    hits = engine.search(item.question, top_k=DEPTH).hits
    return tuple(hit for hit in hits if hit.chunk_id not in known)[: DEPTH - len(answer.sources)]


def _ranks(item: EvalItem, sources: Sequence[Hit]) -> list[int | None] | None:
    """Rank (from 1) of the first source for each marker or gold document, None where there is none."""
    if item.relevant:
        texts = [f"{hit.heading}\n{hit.text}" for hit in sources]
        return [next((i for i, t in enumerate(texts, 1) if contains_marker(t, m)), None) for m in item.relevant]
    if item.gold:
        names = [hit.document for hit in sources]
        return [next((i for i, n in enumerate(names, 1) if n == g), None) for g in item.gold]
    return None


def _with_false_hit(result: ItemResult, other: str) -> ItemResult:
    return replace(result, scores={**result.scores, "false_hit_rate": float(bool(other))}, false_hit=other)


def _grouped(pairs: Iterable[tuple[str, ItemResult]]) -> dict[str, list[ItemResult]]:
    groups: dict[str, list[ItemResult]] = defaultdict(list)
    for name, result in pairs:
        groups[name].append(result)
    return dict(sorted(groups.items()))


def _columns(results: Sequence[ItemResult]) -> tuple[list[Mapping[str, float]], list[float]]:
    return [result.scores for result in results], [result.took_ms for result in results]
