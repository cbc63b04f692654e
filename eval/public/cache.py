"""Pairs of questions that may, or must not, share an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus import corpus, rows


def pairs(file: Path, score: Any) -> dict[str, Any]:
    """Labelled pairs as they stand in a file."""
    return matched(rows(file), score)


def paraphrases(file: Path, score: Any) -> dict[str, Any]:
    """Human paraphrases and translations, with other questions of the same document against them; then single edits."""
    asked = rows(file)
    found = matched(list(score.pira_pairs(asked)), score)
    questions = list(dict.fromkeys(text for row in asked for text in (row["en"], row["pt"])))
    edited = matched(list(score.edits(questions)), score)
    return {**found, "edits": edited["hits_by_kind"]}


def matched(labelled: list[dict[str, Any]], score: Any) -> dict[str, Any]:
    """The scores of what the product's cache makes of some pairs."""
    with corpus() as engine:
        engine.ingest_text("A text, so that there is a corpus.", "text.md")
        hits = {(p["a"], p["b"]): match(engine, p["b"], p["a"]) for p in labelled}
    result: dict[str, Any] = score.cache(hits, labelled)
    return result


def match(engine: Any, question: str, cached: str) -> bool:
    """Whether a question could be served the answer to another; one that can't be asked can't be served either."""
    from polyrag_cli.errors import QueryRejected

    try:
        return bool(engine.cache_match(question, cached).hit)
    except QueryRejected:
        return False
