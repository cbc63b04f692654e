"""Whether a question goes to tables or to text, when both are there."""

from __future__ import annotations

import csv
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from corpus import corpus, rows, times


def table_or_text(folder: Path, score: Any) -> dict[str, Any]:
    """Tables and paragraphs of all contexts in one corpus; questions that need both are left out."""
    bench = folder.parent
    with tempfile.TemporaryDirectory() as work:
        write_contexts(json.loads((bench / "tatqa_dataset_dev.json").read_text(encoding="utf-8")), Path(work))
        with corpus(Path(work)) as engine:
            predicted, took = {}, []
            labels = [q for q in rows(bench / "tatqa.jsonl") if q["label"] in ("table", "text")]
            for question in labels:
                started = time.perf_counter()
                decision = engine.route(question["question"])
                took.append((time.perf_counter() - started) * 1000)
                routes = {clause.route for clause in decision.clauses}
                predicted[question["id"]] = "table" if routes == {"relational"} else "text"
    return {**score.routing(predicted, {q["id"]: q["label"] for q in labels}), **times(took)}


def write_contexts(contexts: list[dict[str, Any]], folder: Path) -> None:
    """One CSV and one text file a context."""
    for context in contexts:
        name = context["table"]["uid"]
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(context["table"]["table"])
        text = "\n\n".join(paragraph["text"] for paragraph in context["paragraphs"])
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
