"""What single configuration values may be: types, ranges and names."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from polyrag_cli.errors import ConfigError
from polyrag_cli.registry import names


def _strategies() -> tuple[str, ...]:
    return ("auto", *names("strategy"))


ENUMERATED: dict[str, Callable[[], tuple[str, ...]]] = {
    "embedder.name": lambda: names("embedder"),
    "stores.relational": lambda: names("relational"),
    "stores.vector": lambda: names("vector"),
    "stores.lexical": lambda: names("lexical"),
    "stores.graph": lambda: names("graph"),
    "routes.*.store": lambda: ("relational", "vector", "graph"),
    "routes.*.strategy": _strategies,
}
"""Dotted key (`*` for a route's name) → the names it may take."""

RANGES: dict[str, tuple[float, float | None]] = {
    "embedder.threads": (1, 256),
    "chunking.max_chars": (200, 20_000),
    "chunking.min_chars": (20, 10_000),
    "chunking.max_document_chars": (1_000, 1_000_000_000),
    "routing.evidence_min": (0, 2),
    "routing.evidence_candidates": (1, 100),
    "routing.table_weight": (0, 10),
    "routing.text_weight": (0, 10),
    "routing.aggregate_bonus": (0, 1),
    "routing.table_min": (0, 1),
    "routing.text_min": (0, 1),
    "routing.lone_value_factor": (0, 1),
    "routing.coverage_weight": (0, 1),
    "routing.bm25_weight": (0, 1),
    "routing.cosine_weight": (0, 1),
    "routing.heading_weight": (0, 1),
    "routing.entity_weight": (0, 1),
    "routing.unknown_name_penalty": (0, 1),
    "routing.boundary_margin": (0, 1),
    "routing.tabularity_min": (0, 1),
    "routing.centroid_weight": (0, 10),
    "routing.named_weight": (0, 10),
    "routing.named_center": (0, 1),
    "routing.document_weight": (0, 1),
    "routing.chunk_margin": (0, 1),
    "retrieval.dense_weight": (0, 1),
    "retrieval.lexical_weight": (0, 1),
    "retrieval.soft_weight": (0, 1),
    "retrieval.home_bonus": (0, 1),
    "retrieval.candidates": (1, 1000),
    "retrieval.rrf_k": (1, 10_000),
    "retrieval.mmr_lambda": (0, 1),
    "retrieval.damping": (0, 0.99),
    "answer.top_k": (1, 100),
    "answer.max_words": (5, 1000),
    "answer.max_rows": (1, 1_000_000),
    "cache.min_cosine": (0, 1),
    "cache.max_unmatched": (0, 1),
    "cache.max_entries": (1, 1_000_000),
    "gate.max_lost": (0, 1_000_000),
    "gate.router_min": (0, 1),
    "gate.recall_at_1_min": (0, 1),
    "gate.recall_at_5_min": (0, 1),
    "gate.recall_at_10_min": (0, 1),
    "gate.mrr_min": (0, 1),
    "gate.ndcg_at_10_min": (0, 1),
    "gate.facts_min": (0, 1),
    "gate.precision_min": (0, 1),
    "gate.coverage_min": (0, 1),
    "gate.declined_min": (0, 1),
    "gate.empty_rate_max": (0, 1),
    "gate.false_hit_rate_max": (0, 1),
    "gate.max_slowdown": (0, 1000),
    "tracing.keep": (1, 1_000_000),
    "routes.*.tau_high": (-1, 1),
    "routes.*.tau_low": (-1, 1),
    "routes.*.delta_margin": (0, 2),
}
"""Dotted key → lowest and highest value (None: no upper bound)."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that looks most like the given one; the first in order when none does."""
    candidates = sorted(known)
    close = get_close_matches(name, candidates, n=1, cutoff=0.0)
    return close[0] if close else "–"


def parse_text(text: str) -> Any:
    """A value as an environment variable or a flag gives it: boolean, integer, number or text."""
    lowered = text.strip().lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def coerce(value: Any, like: Any, key: str, where: str) -> Any:
    """The value as the type of `like`.

    Raises ConfigError when it has another type: an integer may stand for a number, nothing else is converted.
    """
    kind = type(like)
    if kind is float and type(value) is int:
        return float(value)
    if kind is str and type(value) in (int, float):
        raise ConfigError(f"{where}: {key} must be text, not {value!r}.", "Put it in quotes.")
    if type(value) is not kind:
        raise ConfigError(f"{where}: {key} must be {_TYPE_NAMES[kind]}, not {value!r}.")
    if kind is float and not math.isfinite(value):
        raise ConfigError(f"{where}: {key} must be a finite number, not {value!r}.")
    if kind is list and not all(type(v) is str and v.strip() for v in value):
        raise ConfigError(f"{where}: {key} must be a list of texts.", "Each entry is a text in quotes, none empty.")
    return value


_TYPE_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list of texts",
}
