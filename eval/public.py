"""Runs PolyRAG over public data sets in a folder that the caller names: `make eval-public BENCH=DIR`.

Prints one JSON object a set. The folder's own `score.py` scores; nothing of it is copied here. Every set gets a
data directory of its own, made new, and the shipped default configuration.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from polyrag_cli import Engine


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def load_scorer(bench: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score", bench / "score.py")
    if spec is None or spec.loader is None:
        sys.exit(f"{bench}: no score.py there. Name the folder of the data sets with BENCH=DIR.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def product(engine: Engine, folder: Path, score: Any) -> dict[str, Any]:
    """A folder of mixed files with labelled questions: routes, passages and facts."""
    engine.ingest([folder / "corpus"])
    items = yaml.safe_load((folder / "golden.yaml").read_text(encoding="utf-8"))
    answers = {item["question"]: engine.ask(item["question"], use_cache=False) for item in items}
    predictions = {
        q: {"answer": a.answer, "route": a.route, "routes": a.routes, "passages": [hit.text for hit in a.sources]}
        for q, a in answers.items()
    }
    slow = sorted(a.took_ms for a in answers.values())
    return {**score.facts(predictions, items), "p50_ms": slow[len(slow) // 2], "max_ms": slow[-1]}


def retrieval(engine: Engine, folder: Path, score: Any, route: str | None) -> dict[str, Any]:
    """A file of passages with the ones that answer each question."""
    started = time.perf_counter()
    report = engine.ingest([folder / "corpus.jsonl"])
    ingest_s = time.perf_counter() - started
    queries = rows(folder / "queries.jsonl")
    found, took = {}, []
    for query in queries:
        started = time.perf_counter()
        hits = engine.search(query["question"], top_k=10, route=route).hits
        took.append((time.perf_counter() - started) * 1000)
        found[query["id"]] = [passage_id(hit.document) for hit in hits]
    gold = {q["id"]: [str(g) for g in (q["gold"] if isinstance(q["gold"], list) else [q["gold"]])] for q in queries}
    chunks = sum(f.chunks for f in report.files)
    figures = {
        "chunks": chunks,
        "chunks_per_s": round(chunks / ingest_s, 1),
        "p50_ms": round(sorted(took)[len(took) // 2], 2),
    }
    return {**score.retrieval(found, gold), **figures}


def passage_id(document: str) -> str:
    return document.partition("#")[2]


Run = Callable[[Engine, Any], dict[str, Any]]


def sets(bench: Path) -> dict[str, Run]:
    return {
        "meridiano": lambda engine, score: product(engine, bench / "meridiano", score),
        "multihop/musique100": lambda engine, score: retrieval(engine, bench / "multihop/musique100", score, "graph"),
        "multilingual/faquad_pt": lambda engine, score: retrieval(
            engine, bench / "multilingual/faquad_pt", score, "vectorial"
        ),
    }


def main(arguments: list[str]) -> None:
    bench, chosen = Path(arguments[0]), arguments[1:]
    score = load_scorer(bench)
    for name, run in sets(bench).items():
        if chosen and name not in chosen:
            continue
        with (
            tempfile.TemporaryDirectory() as data,
            Engine.open(data_dir=data, overrides={"tracing.enabled": False}) as engine,
        ):
            print(json.dumps({"set": name, **run(engine, score)}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
