"""What is measured on a labelled set: names, scale, direction, and means with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.scoring.metrics import percentile

LATENCY_P50, LATENCY_P95 = "latency_p50_ms", "latency_p95_ms"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a question, in [0, 1].

    binary: 0 or 1 alone, so McNemar's test applies. falls: lower is better. floor: its key in [gate].
    """

    name: str
    binary: bool
    floor: str
    falls: bool = False


MEASURES = (
    Measure("router", True, "router_min"),
    Measure("recall@1", False, "recall_at_1_min"),
    Measure("recall@5", False, "recall_at_5_min"),
    Measure("recall@10", False, "recall_at_10_min"),
    Measure("mrr", False, "mrr_min"),
    Measure("ndcg@10", False, "ndcg_at_10_min"),
    Measure("facts", True, "facts_min"),
    Measure("precision", True, "precision_min"),
    Measure("coverage", True, "coverage_min"),
    Measure("declined", True, "declined_min"),
    Measure("empty_rate", True, "empty_rate_max", falls=True),
    Measure("false_hit_rate", True, "false_hit_rate_max", falls=True),
)
METRICS = (*(measure.name for measure in MEASURES), LATENCY_P50, LATENCY_P95)

Scores = Sequence[Mapping[str, float]]


def means(scores: Scores, times: Sequence[float]) -> dict[str, float]:
    """Metric → mean over the questions that it was judged on (4 decimals), and latencies in ms; `times` not empty."""
    found = {}
    for name, values in _judged(scores).items():
        found[name] = round(sum(values) / len(values), 4)
    return {
        **found,
        LATENCY_P50: round(percentile(times, 50), 2),
        LATENCY_P95: round(percentile(times, 95), 2),
    }


def intervals(scores: Scores, times: Sequence[float]) -> dict[str, tuple[float, float]]:
    """Metric → 95 % interval of what `means` gives: bootstrap, or exact where all questions agree."""
    from polyrag_cli.scoring.significance import percentile_interval, share_interval

    found = {name: _rounded(share_interval(values), 4) for name, values in _judged(scores).items()}
    return {
        **found,
        LATENCY_P50: _rounded(percentile_interval(times, 50), 2),
        LATENCY_P95: _rounded(percentile_interval(times, 95), 2),
    }


def counts(scores: Scores) -> dict[str, int]:
    """Metric → number of questions that it was judged on."""
    return {name: len(values) for name, values in _judged(scores).items()}


def _judged(scores: Scores) -> dict[str, list[float]]:
    columns = {measure.name: [s[measure.name] for s in scores if measure.name in s] for measure in MEASURES}
    return {name: values for name, values in columns.items() if values}


def _rounded(interval: tuple[float, float], digits: int) -> tuple[float, float]:
    return round(interval[0], digits), round(interval[1], digits)
