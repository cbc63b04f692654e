"""Sets that ask for the passages which answer a question."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from corpus import corpus, rows, times

from polyrag_cli import Engine


def one_language(folder: Path, score: Any, route: str) -> dict[str, Any]:
    """A file of passages with the ones that answer each question."""
    queries = rows(folder / "queries.jsonl")
    with corpus() as engine:
        started = time.perf_counter()
        report = engine.ingest([folder / "corpus.jsonl"])
        took = time.perf_counter() - started
        found, searching = search(engine, {q["id"]: q["question"] for q in queries}, route)
    chunks = sum(f.chunks for f in report.files)
    speed = {"chunks": chunks, "chunks_per_s": round(chunks / took, 1)}
    return {**score.retrieval(found, {q["id"]: gold(q["gold"]) for q in queries}), **speed, **times(searching)}


def two_languages(folder: Path, score: Any) -> dict[str, Any]:
    """The same abstracts in two languages: each direction alone, and both languages in one corpus."""
    texts, queries = rows(folder / "corpus.jsonl"), rows(folder / "queries.jsonl")
    right = {q["id"]: gold(q["gold"]) for q in queries}
    result: dict[str, Any] = {"n": len(queries)}
    for held in (("en",), ("pt",), ("en", "pt")):
        with tempfile.TemporaryDirectory() as work:
            file = Path(work) / "passages.jsonl"
            records = [{"id": f"{t['id']}-{code}", "text": t[code]} for t in texts for code in held]
            file.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")
            with corpus(file) as engine:
                for asked in ("en", "pt"):
                    found, _ = search(engine, {q["id"]: q[asked] for q in queries}, "vectorial")
                    # In a corpus of both languages either version of an abstract is right.
                    plain = {key: list(dict.fromkeys(p.partition("-")[0] for p in ids)) for key, ids in found.items()}
                    measured = score.retrieval(plain, right)
                    key = f"{asked}→{'+'.join(held)}"
                    result[key] = {"recall@1": measured["recall@1"], "recall@5": measured["recall@5"]}
    return result


def search(engine: Engine, queries: dict[str, str], route: str) -> tuple[dict[str, list[str]], list[float]]:
    """The ids of the ten best passages of each question, and the milliseconds that each took."""
    found, took = {}, []
    for key, question in queries.items():
        started = time.perf_counter()
        hits = engine.search(question, top_k=10, route=route).hits
        took.append((time.perf_counter() - started) * 1000)
        found[key] = [hit.document.partition("#")[2] for hit in hits]
    return found, took


def gold(labelled: Any) -> list[str]:
    """The ids of the right passages, as text."""
    return [str(one) for one in (labelled if isinstance(labelled, list) else [labelled])]
