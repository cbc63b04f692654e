"""What a decision is worth against a question's labels."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.runner import score_item
from polyrag_cli.routing.moves import is_right
from tests.command_line import ROOT


def test_what_is_right_is_what_an_evaluation_counts(demo: Engine) -> None:
    seen = []
    for item in load_set(ROOT / "eval" / "golden.yaml")[::3]:
        answer = demo.ask(item.question, use_cache=False)
        if (answer.answer is not None) != any(clause.answerable for clause in answer.decision.clauses):
            continue
        opposite = replace(item, declines=not item.declines, routes=answer.routes, facts=(), values=())
        for asked in (item, opposite):
            scores = score_item(asked, answer).scores
            judged = [scores[name] for name in ("router", "coverage", "declined") if name in scores]
            assert is_right(asked, answer.decision) == all(judged), item.question
            seen.append(all(judged))
    assert len(seen) > 40
    assert set(seen) == {True, False}
