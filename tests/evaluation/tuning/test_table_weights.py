"""The confidence in readings of tables is judged on tables kept aside, on made-up evidence."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from polyrag_cli.config.sections import TableConfidenceSettings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.table_cases import TableCase
from polyrag_cli.evaluation.tuning.table_weights import tune_tables

NOW = TableConfidenceSettings()
NAMES = [name for name in asdict(NOW) if name != "bias"]
WRONG = replace(NOW, coverage=-4.0)


def made(tables: int = 6) -> list[TableCase]:
    """12 questions of each table: two thirds are read rightly, which are those with a high coverage; one isn't read."""
    drawn = np.random.default_rng(3)
    cases = []
    for table in range(tables):
        for number in range(12):
            right = number % 3 > 0
            evidence = dict.fromkeys(NAMES, 0.0)
            evidence["coverage"] = float(drawn.normal(0.9 if right else 0.6, 0.12))
            evidence["several"] = float(drawn.random() < 0.2)
            cases.append(TableCase(f"t{table}", f"q{number}", True, right, evidence))
        cases.append(TableCase(f"t{table}", "unread", True, False, {}))
    return cases


def test_better_weights_are_proposed_with_their_threshold() -> None:
    report = tune_tables(made(), WRONG, 0.45, folds=3, precision=0.9)
    assert (report.questions, report.answerable, report.read, report.right) == (78, 78, 72, 48)
    assert (report.tables, report.folds) == (6, 3)
    assert report.out_of_fold.loss < report.now.loss
    assert report.threshold is not None
    assert report.changes["table_confidence.coverage"] == (-4.0, report.weights["coverage"])
    assert report.changes["answer.min_confidence"] == (0.45, report.threshold)
    assert len(report.changes) == 12
    from_there = [step.out_of_fold.precision for step in report.curve if step.threshold >= report.threshold]
    assert from_there[0] is not None and from_there[0] >= 0.9


def test_what_is_given_at_each_threshold() -> None:
    report = tune_tables(made(), WRONG, 0.45)
    whole = report.curve[0].out_of_fold
    # Of 78 questions 72 are read, 48 rightly.
    assert (whole.coverage, whole.accuracy, whole.precision) == (0.9231, 0.6154, 0.6667)
    coverage = [step.out_of_fold.coverage for step in report.curve]
    assert coverage == sorted(coverage, reverse=True)
    assert report.at_now.threshold == report.threshold_now == 0.45


def test_figures_for_questions_without_an_answer_are_wrong_and_cover_nothing() -> None:
    cases = [*made(), *(replace(case, answerable=False, right=False) for case in made(1)[:12])]
    whole = tune_tables(cases, WRONG, 0.45).curve[0].out_of_fold
    assert (whole.coverage, whole.accuracy, whole.precision) == (0.9231, 0.6154, round(48 / 84, 4))


def test_a_precision_out_of_reach_changes_no_threshold() -> None:
    cases = [replace(case, right=False) if case.question in ("q1", "q2", "q4", "q5") else case for case in made()]
    report = tune_tables(cases, WRONG, 0.45, precision=1.0)
    assert report.threshold is None or report.threshold > 0.5
    assert ("answer.min_confidence" in report.changes) == (report.threshold is not None and bool(report.changes))


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (made(1), "fewer than two tables"),
        ([case for case in made() if case.right or not case.evidence], "48 readings are right and 0 are wrong"),
    ],
)
def test_too_little_is_refused(cases: list[TableCase], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tune_tables(cases, NOW, 0.45)
