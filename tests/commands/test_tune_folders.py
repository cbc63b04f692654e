"""`tune answers` and `tune tables`: labelled folders in, honest figures out, a file that changes only for better."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.config import Settings
from tests.command_line import Finished

Run = Callable[..., Finished]

PLACES = ("orchard", "harbour", "library", "bakery", "mill", "chapel")
THINGS = ("lantern", "ladder", "bell", "kettle", "compass", "blanket")
# What the router declines says nothing of the probability.
ALL_ASKED = ("--override", "routing.evidence_min=0")
CITIES = ("Leiria", "Braga", "Evora", "Faro", "Viseu", "Tomar", "Beja", "Lagos")


def folder(root: Path, name: str) -> str:
    """A folder of notes, half of whose questions nothing answers; FOLDER=QUESTIONS."""
    notes = root / name
    notes.mkdir()
    items = []
    for place, thing in zip(PLACES, THINGS, strict=True):
        text = f"# The {place}\n\nThe {thing} of the {name} {place} is kept behind the northern door.\n"
        (notes / f"{place}.md").write_text(text, encoding="utf-8")
        items += [
            {"question": f"Where is the {thing} of the {name} {place} kept?", "facts": ["northern door"]},
            {
                "question": f"Which emperor melted glaciers beneath Saturn before {place}?",
                "answer": None,
                "tags": ["far"],
            },
        ]
    questions = root / f"{name}.jsonl"
    questions.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return f"{notes}={questions}"


def tables(root: Path, name: str, factor: int) -> str:
    """A folder with one table; every second question's label is another figure than the table's."""
    held = root / name
    held.mkdir()
    rows = [(city, factor * (place + 3)) for place, city in enumerate(CITIES)]
    (held / f"{name}.csv").write_text("city,visitors\n" + "".join(f"{c},{n}\n" for c, n in rows), encoding="utf-8")
    items = [
        {"question": f"How many visitors did {city} have?", "answer": n + (place % 2)}
        for place, (city, n) in enumerate(rows)
    ]
    questions = root / f"{name}.jsonl"
    questions.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return f"{held}={questions}"


@pytest.fixture
def wrong_weights(polyrag: Run) -> Path:
    """A configuration whose weights say the contrary."""
    file = Path("polyrag.toml").absolute()
    file.write_text("# ours\n[answer_probability]\ncoverage = -3.0 # why?\ncosine = -3.0\n", encoding="utf-8")
    return file


def test_weights_that_foretell_better_are_written(polyrag: Run, wrong_weights: Path, tmp_path: Path) -> None:
    named = [folder(tmp_path, name) for name in ("upper", "lower")]
    done = polyrag("tune", "answers", *named, *ALL_ASKED, "--write")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "2 folders: 24 questions, 12 of them answered by nothing there; 0 declined whatever the probability",
    )
    for part in ("out of fold", "reliability, out of fold", "what answer.min_probability would do", "far"):
        assert part in done.out
    assert done.out.splitlines()[-1] == f"6 values written to {wrong_weights}."
    text = wrong_weights.read_text(encoding="utf-8")
    assert text.startswith("# ours\n[answer_probability]\ncoverage = ") and "# why?" in text
    settings = Settings.load(config=wrong_weights)
    assert settings.answer_probability.coverage > -3.0
    # Found once, they are found again, and are no better than themselves.
    report = polyrag("tune", "answers", *named, *ALL_ASKED, "--json").json
    assert report["weights"] == report["weights_now"]
    assert (report["changes"], report["diff"], report["written"]) == ({}, [], None)
    assert [one["questions"] for one in report["folders"]] == [12, 12]
    assert len(report["curve"]) == 19
    assert not Path(".polyrag").exists()


def test_a_data_directory_is_asked_as_it_is(polyrag: Run, wrong_weights: Path, tmp_path: Path) -> None:
    one, other = (folder(tmp_path, name) for name in ("upper", "lower"))
    kept = polyrag("tune", "answers", one, other, *ALL_ASKED, "--json").json
    assert polyrag("ingest", one.partition("=")[0], "--data", tmp_path / "kept").code == 0
    ready = polyrag("tune", "answers", f"{tmp_path / 'kept'}={one.partition('=')[2]}", other, *ALL_ASKED, "--json").json
    assert kept["weights"] == ready["weights"]
    assert kept["changes"] == ready["changes"] != {}
    assert "coverage = -3.0" in wrong_weights.read_text(encoding="utf-8")


def test_without_vectors_the_weights_of_words_are_found(
    polyrag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYRAG_EMBEDDER__NAME", "none")
    monkeypatch.setenv("POLYRAG_ANSWER_PROBABILITY__WORDS_COVERAGE", "-9")
    named = [folder(tmp_path, name) for name in ("upper", "lower")]
    done = polyrag("tune", "answers", *named, *ALL_ASKED)
    assert done.code == 0
    assert "nothing is embedded" in done.out
    # What the environment sets, the file can't.
    assert "the environment or a flag sets them: answer_probability.words_coverage." in " ".join(done.out.split())


def test_tables(polyrag: Run, tmp_path: Path) -> None:
    named = [tables(tmp_path, name, factor) for name, factor in (("museums", 10), ("beaches", 700), ("parks", 90))]
    report = polyrag("tune", "tables", *named, "--folds", "3", "--json").json
    assert (report["questions"], report["read"], report["right"]) == (24, 24, 12)
    assert (report["tables"], report["folds"]) == (3, 3)
    assert report["curve"][0]["out_of_fold"]["precision"] == 0.5
    done = polyrag("tune", "tables", *named, "--folds", "3")
    assert done.out.splitlines()[0].startswith(
        "24 questions, 24 of them with an answer; 24 read on 3 tables, 12 of them"
    )
    assert "what answer.min_confidence would do" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["answers", "notes"], "notes: no pair. Write FOLDER=QUESTIONS"),
        (["tables", "nowhere=notes.yaml"], "nowhere: no such folder."),
        (["--folds", "3", "answers", "a=b"], "--folds stands before answers. Put it behind."),
        (["answers", "a=b", "--write"], "there is no polyrag.toml to write to."),
        (["answers"], "Missing argument"),
    ],
)
def test_what_cannot_be_is_refused_at_once(polyrag: Run, words: list[str], said: str) -> None:
    assert said in polyrag("tune", *words).failed(2)


def test_one_folder_is_too_few(polyrag: Run, tmp_path: Path) -> None:
    said = polyrag("tune", "answers", folder(tmp_path, "upper")).failed(2)
    assert "1 folder has questions to fit weights to: 2 are needed" in said
