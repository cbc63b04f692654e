"""The answer's probability is judged folder by folder, on made-up signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np
import pytest

from polyrag_cli.config.sections import AnswerProbabilitySettings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.answer_cases import AnswerCase
from polyrag_cli.evaluation.tuning.answer_weights import tune_answers

NOW = AnswerProbabilitySettings()
# Weights that say the contrary.
WRONG = AnswerProbabilitySettings(bias=0.0, coverage=-3.0, cosine=-3.0, unknown=1.0, size=0.0)


def made(folders: Sequence[str] = ("a", "b", "c"), dense: bool = True) -> list[AnswerCase]:
    """24 questions of each folder, a third of which nothing answers: these have a low coverage and cosine."""
    drawn = np.random.default_rng(7)
    cases = []
    for place, folder in enumerate(folders):
        for number in range(24):
            yes = number % 3 > 0
            signs = {
                "coverage": float(np.clip(drawn.normal(0.7 if yes else 0.4, 0.12), 0, 1)),
                "cosine": float(np.clip(drawn.normal(0.6 if yes else 0.4, 0.12), 0, 1)),
                "unknown": float(np.clip(drawn.normal(0.1 if yes else 0.3, 0.1), 0, 1)),
                "size": 3.0 + place,
            }
            if not dense:
                signs.pop("cosine")
            tags = () if yes else ("far",) if number % 2 else ("near",)
            cases.append(AnswerCase(folder, f"q{number}", yes, yes or None, signs, False, tags))
    return cases


def test_better_weights_are_proposed_with_their_threshold() -> None:
    report = tune_answers(made(), WRONG, 0.5, dense=True)
    assert (report.questions, report.unanswerable, report.declined_before) == (72, 24, 0)
    assert report.weights["coverage"] > 0 and report.weights["cosine"] > 0
    assert report.out_of_fold.loss < report.now.loss
    assert report.out_of_fold.auc is not None and report.out_of_fold.auc > 0.9
    assert report.changes["answer_probability.coverage"] == (-3.0, report.weights["coverage"])
    assert report.changes["answer.min_probability"] == (0.5, report.threshold)
    assert set(report.changes) == {
        *(f"answer_probability.{name}" for name in ("bias", "coverage", "cosine", "unknown", "size")),
        "answer.min_probability",
    }
    chosen = [step for step in report.curve if step.threshold <= report.threshold][-1]
    assert (chosen.out_of_fold.refused or 0.0) <= 0.08
    assert (report.kept_aside.declined or 0.0) > (report.kept_aside_now.declined or 0.0)
    assert set(report.kept_aside.by_tag) == {"near", "far"}


def test_weights_that_are_right_stay() -> None:
    cases = made()
    found = tune_answers(cases, WRONG, 0.5, dense=True)
    right = AnswerProbabilitySettings(**{**asdict(NOW), **found.weights})
    again = tune_answers(cases, right, 0.5, dense=True)
    assert again.weights == found.weights
    assert again.changes == {}


def test_a_folder_is_judged_without_its_own_labels() -> None:
    cases = made()
    turned = [replace(case, answerable=not case.answerable) if case.folder == "b" else case for case in cases]
    before, after = (tune_answers(some, WRONG, 0.5, dense=True) for some in (cases, turned))
    assert [f.folder for f in before.folders] == ["a", "b", "c"]
    assert before.folders[1].threshold == after.folders[1].threshold
    assert after.folders[1].auc is not None and before.folders[1].auc is not None
    assert after.folders[1].auc == pytest.approx(1.0 - before.folders[1].auc)


def test_order_does_not_matter() -> None:
    assert tune_answers(made()[::-1], WRONG, 0.5, dense=True).weights == tune_answers(made(), WRONG, 0.5, True).weights


def test_without_cosines_the_weights_of_words_are_found() -> None:
    report = tune_answers(made(dense=False), replace(NOW, words_coverage=-3.0), 0.5, dense=False)
    assert "cosine" not in report.weights
    assert {key for key in report.changes if key.startswith("answer_")} == {
        f"answer_probability.words_{name}" for name in ("bias", "coverage", "unknown", "size")
    }


def test_what_is_declined_before_is_refused_by_every_threshold() -> None:
    cases = [*made(), *(AnswerCase("a", f"x{i}", True, None, {}, True) for i in range(10))]
    report = tune_answers(cases, WRONG, 0.5, dense=True)
    assert (report.questions, report.declined_before) == (82, 10)
    assert report.curve[0].out_of_fold.refused == pytest.approx(10 / 58, abs=1e-4)
    # More are refused anyway than may be.
    assert report.threshold == 0.0


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (made(("a",)), "1 folder has questions"),
        ([case for case in made() if case.answerable], "48 questions that something answers and 0 that nothing"),
        (
            [case for case in made(("a", "b")) if case.answerable or case.folder == "a"] + made(("a",)),
            "all questions left are of one kind",
        ),
    ],
)
def test_too_little_is_refused(cases: list[AnswerCase], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tune_answers(cases, NOW, 0.5, dense=True)
