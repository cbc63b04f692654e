"""Runs a labelled set through the engine and counts. Owns what each metric means. Must never print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.datasets import EvalItem
from polyrag_cli.scoring.metrics import contains_fact, contains_marker, percentile, recall_at_k, reciprocal_rank
from polyrag_cli.types import Answer

METRICS = (
    "router",
    "recall@1",
    "recall@5",
    "mrr",
    "facts",
    "declined",
    "empty_rate",
    "latency_p50_ms",
    "latency_p95_ms",
)


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One question: what was answered, and each metric that its labels allow (True/False or a share)."""

    question: str
    expected: tuple[str, ...]
    routes: tuple[str, ...]
    answer: str | None
    words: int
    took_ms: float
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvalReport:
    """`overall` and `routes` hold metric → mean, `counts` metric → number of questions it was judged on.

    longest_answer_words: of all answers; shows what `facts` was bought with.
    """

    questions: int
    overall: Mapping[str, float]
    counts: Mapping[str, int]
    routes: Mapping[str, Mapping[str, float]]
    longest_answer_words: int
    items: tuple[ItemResult, ...]


def run_set(engine: Engine, items: Sequence[EvalItem], on_item: Callable[[int, int], None] | None = None) -> EvalReport:
    """Asks every question with the cache off and scores the answers."""
    results = []
    for number, item in enumerate(items, 1):
        results.append(score_item(item, engine.ask(item.question, use_cache=False)))
        if on_item:
            on_item(number, len(items))
    by_route: dict[str, list[ItemResult]] = defaultdict(list)
    for result in results:
        name = result.expected[0] if len(result.expected) == 1 else "compound" if result.expected else "none"
        by_route[name].append(result)
    return EvalReport(
        questions=len(results),
        overall=_means(results),
        counts=_counts(results),
        routes={name: _means(group) for name, group in sorted(by_route.items())},
        longest_answer_words=max((r.words for r in results), default=0),
        items=tuple(results),
    )


def score_item(item: EvalItem, answer: Answer) -> ItemResult:
    """Every metric that the item's labels allow.

    router: the decided routes are the expected ones. recall@k: share of markers (or gold documents) among the first
    k sources. mrr: 1/rank of the first source with any. facts: the answer holds all of them. declined: nothing was
    answered, rightly. empty_rate: nothing was answered though something should be.
    """
    text = answer.answer or ""
    scores: dict[str, float] = {}
    if item.routes:
        scores["router"] = float(set(answer.routes) == set(item.routes))
    ranks = _ranks(item, answer)
    if ranks is not None:
        scores["recall@1"], scores["recall@5"] = recall_at_k(ranks, 1), recall_at_k(ranks, 5)
        scores["mrr"] = reciprocal_rank(ranks)
    if item.facts or item.values:
        scores["facts"] = float(all(contains_fact(text, fact) for fact in (*item.facts, *item.values)))
    if item.declines:
        scores["declined"] = float(answer.answer is None)
    else:
        scores["empty_rate"] = float(answer.answer is None)
    words = len(text.split())
    return ItemResult(item.question, item.routes, answer.routes, answer.answer, words, answer.took_ms, scores)


def _ranks(item: EvalItem, answer: Answer) -> list[int | None] | None:
    """Rank (from 1) of the first source for each marker or gold document, None where there is none."""
    if item.relevant:
        texts = [f"{hit.heading}\n{hit.text}" for hit in answer.sources]
        return [next((i for i, t in enumerate(texts, 1) if contains_marker(t, m)), None) for m in item.relevant]
    if item.gold:
        names = [hit.document for hit in answer.sources]
        return [next((i for i, n in enumerate(names, 1) if n == g), None) for g in item.gold]
    return None


def _means(results: Sequence[ItemResult]) -> dict[str, float]:
    means = {}
    for metric in METRICS:
        values = [r.scores[metric] for r in results if metric in r.scores]
        if values:
            means[metric] = round(sum(values) / len(values), 4)
    times = [r.took_ms for r in results]
    means["latency_p50_ms"] = round(percentile(times, 50), 2)
    means["latency_p95_ms"] = round(percentile(times, 95), 2)
    return means


def _counts(results: Sequence[ItemResult]) -> dict[str, int]:
    return {m: n for m in METRICS if (n := sum(m in r.scores for r in results))}
