"""A language is one file and its anchors: question sets in languages that no code was written for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.runner import EvalReport, run_set
from polyrag_cli.languages import all_languages
from polyrag_cli.types import EvalItem
from tests.prepared import put_model

PROOF = Path(__file__).parent / "proof"
CODES = sorted(folder.name for folder in PROOF.iterdir() if folder.is_dir())
LEAST = {"router": 0.90, "facts": 0.80, "declined": 0.75}
SAMPLE = {
    "es": (
        "¿Cuántos colmenares no están vallados?",
        "¿Qué apicultor entregó más kilos?",
        "¿Cómo empezó el fuego que arrasó la sierra?",
        "¿Por qué se puso el almacén en una vieja estación?",
        "¿Quién administra el fondo que paga las ayudas por sequía?",
        "¿Quién escribió Cien años de soledad?",
    ),
    "de": (
        "Wie viele Nächte wurden im August gebucht?",
        "Welche Gruppe hatte die meisten Nächte?",
        "Warum kam bei der Lawine niemand ums Leben?",
        "Womit bezahlte die Malerin ihr Zimmer?",
        "In welchem Ort steht der Server, auf dem Murmel läuft?",
        "Wer hat die Mona Lisa gemalt?",
    ),
}
"""Of each language two figures, two stories, a chain of two rules, and a question that nothing answers."""


@pytest.fixture(scope="module", params=CODES)
def code(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def engine(code: str, model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The documents of one language, under the anchors of both."""
    data = put_model(model, tmp_path_factory.mktemp(code) / "data")
    overrides = {"cache.enabled": False}
    with Engine.open(data_dir=data, config=PROOF / "polyrag.toml", overrides=overrides) as engine:
        report = engine.ingest([PROOF / code / "documents"])
        assert [file.status for file in report.files] == ["added"] * 4
        yield engine


def questions(code: str) -> tuple[EvalItem, ...]:
    return load_set(PROOF / code / "questions.yaml")


def failed(report: EvalReport) -> dict[str, str | None]:
    """The questions that are wrong in anything, with what was answered."""
    return {
        item.question: item.answer for item in report.items if any(item.scores.get(measure) == 0.0 for measure in LEAST)
    }


def test_a_set_is_forty_questions_of_its_language(code: str) -> None:
    items = questions(code)
    assert len({item.question for item in items}) == len(items) == 40
    assert {item.lang for item in items} == {code} <= {each.code for each in all_languages()}


def test_some_questions_are_answered_right(code: str, engine: Engine) -> None:
    asked = [item for item in questions(code) if item.question in SAMPLE[code]]
    assert len(asked) == len(SAMPLE[code])
    assert failed(run_set(engine, asked)) == {}


@pytest.mark.long
def test_a_language_is_one_file_and_its_anchors(code: str, engine: Engine) -> None:
    report = run_set(engine, questions(code))
    below = {name: report.overall[name] for name, least in LEAST.items() if report.overall[name] < least}
    assert below == {}, failed(report)
