"""`tune`: estimates side by side, a proposal only where it holds, and a file that keeps its comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError
from polyrag_cli.evaluation.tuning import toml_edit, tuning
from polyrag_cli.evaluation.tuning.tuning import TuneReport
from polyrag_cli.types import EvalItem
from tests.command_line import ROOT, Finished

Run = Callable[..., Finished]
GOLDEN = ROOT / "eval" / "golden.yaml"


@pytest.fixture(scope="module")
def found() -> dict[str, TuneReport]:
    """What searches have found."""
    return {}


@pytest.fixture(autouse=True)
def searched_once(monkeypatch: pytest.MonkeyPatch, found: dict[str, TuneReport]) -> None:
    """The same search, which takes seconds, gives the same report: it is made for the first test that asks for it."""
    search = tuning.tune

    def once(engine: Engine, items: Sequence[EvalItem], *arguments: Any) -> TuneReport:
        values = [(key, value) for key, value, _ in engine.settings.listed()]
        key = repr((values, items, arguments[:2]))
        return found[key] if key in found else found.setdefault(key, search(engine, items, *arguments))

    monkeypatch.setattr(tuning, "tune", once)


@pytest.fixture
def bad_weight(monkeypatch: pytest.MonkeyPatch, polyrag: Run) -> Path:
    """A configuration whose tables weigh far too much."""
    monkeypatch.delenv("POLYRAG_EMBEDDER__NAME")
    file = Path("polyrag.toml").absolute()
    text = (ROOT / "polyrag.toml").read_text(encoding="utf-8")
    file.write_text(text.replace("\ntable_weight = 1.0\n", "\ntable_weight = 3.0   # ours\n"), encoding="utf-8")
    return file


def test_a_proposal_is_written_in_place(polyrag: Run, demo_data: Path, bad_weight: Path) -> None:
    before = bad_weight.read_text(encoding="utf-8")
    done = polyrag("--data", demo_data, "tune", "--set", GOLDEN, "--write")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(f"{GOLDEN}: 83 questions, 75 with a labelled route")
    assert lines[0].endswith(" · 5 folds, seed 0")
    (routing,) = [line.split() for line in lines if line.startswith("  routing   ")]
    now, fitted, honest = map(float, routing[1:4])
    assert now < honest <= fitted
    assert "  -table_weight = 3.0   # ours" in lines
    assert "  +table_weight = 1.0   # ours" in lines
    assert lines[-1].endswith(f" written to {bad_weight}.")
    after = bad_weight.read_text(encoding="utf-8")
    changed = [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert ("table_weight = 3.0   # ours", "table_weight = 1.0   # ours") in changed
    assert lines[-1] == f"{len(changed)} values written to {bad_weight}."
    assert polyrag("--data", demo_data, "doctor").code == 0


def test_without_write_the_file_stays(polyrag: Run, demo_data: Path, bad_weight: Path) -> None:
    before = bad_weight.read_text(encoding="utf-8")
    report = polyrag("--data", demo_data, "tune", "--set", GOLDEN, "--json").json
    assert report["written"] is None
    assert report["changes"]["routing.table_weight"] == [3.0, 1.0]
    assert "+table_weight = 1.0   # ours" in report["diff"]
    assert bad_weight.read_text(encoding="utf-8") == before


@pytest.mark.long
def test_good_settings_stay(polyrag: Run, demo_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYRAG_EMBEDDER__NAME")
    done = polyrag("--data", demo_data, "tune", "--set", GOLDEN, "--folds", "3", "--seed", "1")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("No change proposed")
    for part in ("flat, no value of their grids", "ECE 0.", "anchors from misrouted questions", "recall@5 0."):
        assert part in done.out
    assert not Path("polyrag.toml").exists()


def test_without_a_file_there_is_nothing_to_write_to(polyrag: Run, small_data: Path) -> None:
    said = polyrag("--data", small_data, "tune", "--set", GOLDEN, "--write").failed(2)
    assert "there is no polyrag.toml to write to. Write one with: polyrag init" in said


def test_a_small_set_is_refused(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.yaml"
    few.write_text('- question: "Como tudo começou?"\n  route: vectorial\n')
    said = polyrag("--data", small_data, "tune", "--set", few).failed(2)
    assert "1 questions with a labelled route, of 1 routes: tuning needs 20 of 2" in said


def test_two_sets_are_one(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    halves = []
    for number in range(2):
        half = tmp_path / f"half{number}.yaml"
        half.write_text(
            "".join(
                f'- question: "Quem autoriza a regra {number}{i}?"\n  route: {"graph" if i % 2 else "vectorial"}\n'
                for i in range(10)
            )
        )
        halves += ["--set", half]
    report = polyrag("--data", small_data, "tune", *halves, "--folds", "2", "--json").json
    assert (report["questions"], report["judged"]) == (20, 20)
    assert report["groups"] < 20


def test_a_layout_that_cannot_be_changed_costs_the_file_only(
    polyrag: Run, demo_data: Path, bad_weight: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str, changes: Mapping[str, float]) -> str:
        raise StoreError("the file can't be changed: so it is.", f"Write it by hand: {', '.join(changes)}.")

    monkeypatch.setattr(toml_edit, "edited", refuse)
    before = bad_weight.read_text(encoding="utf-8")
    done = polyrag("--data", demo_data, "tune", "--set", GOLDEN, "--write")
    assert done.code == 3
    assert done.err.startswith(f"polyrag tune: {bad_weight}: the file can't be changed")
    assert "by hand: routing.table_weight" in done.err
    assert done.out.splitlines()[0].startswith(f"{GOLDEN}: 83 questions")
    assert bad_weight.read_text(encoding="utf-8") == before
