"""Sets of questions that tables answer."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from corpus import corpus, rows, times

from polyrag_cli.types import Answer


def single_tables(folder: Path, score: Any) -> dict[str, Any]:
    """Questions on one table each, asked of a corpus that holds only that table."""
    asked: dict[str, list[dict[str, Any]]] = {}
    for question in rows(folder / "questions.jsonl"):
        asked.setdefault(question["context"], []).append(question)
    predicted, took = {}, []
    for context, questions in sorted(asked.items()):
        with corpus(folder / context) as engine:
            for question in questions:
                answer = engine.ask(question["utterance"], use_cache=False)
                took.append(answer.took_ms)
                predicted[question["id"]] = values(answer)
    targets = {q["id"]: q["targetValue"] for questions in asked.values() for q in questions}
    return {**score.denotation(predicted, targets), **times(took)}


def related_tables(folder: Path, score: Any) -> dict[str, Any]:
    """Questions over one database of several tables, ingested as it is."""
    database, questions = folder / "geography.sqlite", rows(folder / "questions.jsonl")
    with corpus(database) as engine:
        found = {q["question"]: engine.ask(q["question"], use_cache=False) for q in questions}
    predicted = {question: result(answer) for question, answer in found.items()}
    took = times([answer.took_ms for answer in found.values()])
    return {**score.execution(predicted, questions, str(database)), **took}


def cases(folder: Path, score: Any) -> dict[str, Any]:
    """Small tables that went wrong once: right, wrong, declined though answerable, by kind of the last two."""
    told: Counter[str] = Counter()
    bad: list[str] = []
    items = rows(folder / "tables.jsonl")
    for item in items:
        outcome = judged(case_answer(item), item, score)
        told[outcome] += 1
        if outcome != "right":
            bad.append(f"{item['id']} {item['kind']}: {outcome}")
    return {"n": len(items), **{kind: told[kind] for kind in ("right", "wrong", "declined")}, "not_right": bad}


def case_answer(item: dict[str, Any]) -> Answer:
    """What is answered to a case's question over its own files alone."""
    with tempfile.TemporaryDirectory() as work:
        for name, text in {item["file"]: item["table"], **item.get("tables", {})}.items():
            path = Path(work) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with corpus(Path(work)) as engine:
            return engine.ask(item["question"], use_cache=False)


def judged(answer: Answer, item: dict[str, Any], score: Any) -> str:
    """Right, wrong or declined; a refusal is right where nothing answers or the note says that it is acceptable."""
    if answer.answer is None:
        acceptable = item["answer"] is None or ("declin" in item.get("note", "") and "acceptable" in item["note"])
        return "right" if acceptable else "declined"
    shown = " ".join([answer.answer, *(str(cell) for row in answer.rows for cell in row)])
    right = item["answer"] is not None and all(score.contains(shown, fact) for fact in item["answer"])
    return "right" if right else "wrong"


def values(answer: Answer) -> list[str] | None:
    """The first column of an SQL result; None for an answer that is no such result."""
    if answer.answer is None or answer.sql is None:
        return None
    return [str(row[0]) for row in answer.rows]


def result(answer: Answer) -> list[list[Any]] | None:
    """The rows of an SQL result, first column alone; None for an answer that is no such result."""
    if answer.answer is None or answer.sql is None:
        return None
    return [[row[0]] for row in answer.rows]
