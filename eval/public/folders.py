"""Sets of questions over a folder of mixed files."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from corpus import corpus, times

from polyrag_cli.types import Answer


def company(folder: Path, score: Any) -> dict[str, Any]:
    """Routes, passages and facts of a small company's files."""
    items = yaml.safe_load((folder / "golden.yaml").read_text(encoding="utf-8"))
    with corpus(folder / "corpus") as engine:
        answers = {item["question"]: engine.ask(item["question"], use_cache=False) for item in items}
    predictions = {
        q: {"answer": a.answer, "route": a.route, "routes": a.routes, "passages": [hit.text for hit in a.sources]}
        for q, a in answers.items()
    }
    return {**score.facts(predictions, items), **times([a.took_ms for a in answers.values()])}


def documents(folder: Path, score: Any) -> dict[str, Any]:
    """Answers right, beside the point and declined over a folder that people keep; by kind of question.

    A figure of SQL that lacks the facts asked for is counted as `wrong_figures`.
    """
    items = yaml.safe_load((folder / "questions.yaml").read_text(encoding="utf-8"))
    told: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {}
    took = []
    with corpus(folder / "corpus") as engine:
        for item in items:
            answer = engine.ask(item["question"], use_cache=False)
            took.append(answer.took_ms)
            outcome = judged(answer, item, score)
            told[outcome] += 1
            told["wrong_figures"] += outcome == "beside" and answer.sql is not None
            by_kind.setdefault(item["kind"], Counter())[outcome] += 1
    kinds = {kind: dict(sorted(counts.items())) for kind, counts in sorted(by_kind.items())}
    return {"n": len(items), **dict(sorted(told.items())), "kinds": kinds, **times(took)}


def judged(answer: Answer, item: dict[str, Any], score: Any) -> str:
    """Right, beside or declined for what is answerable; refused or answered for what nothing there answers."""
    nothing = "answer" in item and item["answer"] is None
    if answer.answer is None:
        return "refused" if nothing else "declined"
    if nothing:
        return "answered_nothing"
    shown = re.sub(r"[*`]", "", " ".join([answer.answer, *(str(cell) for row in answer.rows for cell in row)]))
    wanted = [fact if isinstance(fact, list) else [fact] for fact in item.get("facts", [])]
    return "right" if all(any(score.contains(shown, one) for one in fact) for fact in wanted) else "beside"
