"""Whether the cache would serve a question the answer to another one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from polyrag_cli.answering.cache import AnswerCache
from polyrag_cli.engine import Engine, check_question
from polyrag_cli.stores.activity import Activity
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.types import Answer, EvalItem


def false_hits(engine: Engine, items: Sequence[EvalItem], answers: Sequence[Answer]) -> list[str]:
    """For each question the one whose answer the cache would serve it wrongly, "" where it serves none or a right one.

    Every question is looked up among all the others' answers, in a cache of its own: once among those before it, once
    among those after it. A hit is false when no item of the matched question bears the labels of the one asked:
    the same facts, values, markers, gold documents and whether it is to be declined. Paraphrases of one question
    therefore need the same labels. Nothing is retrieved or answered again.
    """
    found = [""] * len(items)
    labels: dict[str, set[object]] = {}
    for item in items:
        labels.setdefault(item.question, set()).add(_labels(item))
    texts = [check_question(item.question) for item in items]
    vectors = [engine.embedder.embed_query(text) for text in texts]
    config_hash = engine.router.config_hash
    for order in (range(len(items)), range(len(items) - 1, -1, -1)):
        with TemporaryDirectory(prefix="polyrag-") as folder, engine.snapshot() as snapshot:
            cache, activity = _cache(engine, Path(folder), len(items))
            for i in order:
                served = cache.lookup(texts[i], vectors[i], config_hash, snapshot)
                if served is not None and _labels(items[i]) not in labels[served.question]:
                    found[i] = served.question
                if answers[i].answer is not None:
                    cache.remember(answers[i], vectors[i], config_hash, snapshot)
            activity.close()
    return found


def _cache(engine: Engine, folder: Path, size: int) -> tuple[AnswerCache, Activity]:
    """A cache with the engine's embedder and guard that forgets nothing of one set."""
    activity = Activity(DataPaths(folder), max_entries=max(1, size))
    return AnswerCache(activity, engine.embedder, engine.settings.cache, lambda: engine.stores), activity


def _labels(item: EvalItem) -> object:
    return frozenset((*item.facts, *item.values)), frozenset(item.relevant), frozenset(item.gold), item.declines
