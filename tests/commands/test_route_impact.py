"""`route --impact` and what `ingest` says before it starts: what a configuration would change, applied nowhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.routing.noted import META_ROUTING
from tests.command_line import ROOT, Finished

Run = Callable[..., Finished]
# Every name speaks for the graph: passages move there, and questions with them.
NEW = "[routing]\nnamed_weight = 8.0\nnamed_center = 0.0\n"
MOVED = "What happens to lost umbrellas?"
STILL = "Como tudo começou?"


@pytest.fixture
def own_data(own_data: Path) -> Path:
    """The same copy, without the questions that other tests asked."""
    for file in own_data.glob("activity.sqlite*"):
        file.unlink()
    return own_data


@pytest.fixture
def new(tmp_path: Path) -> Path:
    file = tmp_path / "new.toml"
    file.write_text(NEW)
    return file


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "set.yaml"
    file.write_text(f'- question: "{MOVED}"\n  route: graph\n- question: "{STILL}"\n  route: vectorial\n')
    return file


def test_it_says_what_changes(polyrag: Run, small_data: Path, new: Path, questions: Path) -> None:
    done = polyrag("--data", small_data, "route", "--impact", new, "--set", questions)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"{new}, nothing applied:"
    assert lines[1] == ("  3 of 7 chunks change home (vectorial → graph 3), 1 more gain or lose a second home")
    assert lines[2] == "  1 of 2 questions changes route; right 1 → 2 of 2 labelled"
    (chunk,) = [line for line in lines if "notes.txt" in line]
    assert "vectorial → graph" in chunk
    (question,) = [line for line in lines if MOVED in line]
    assert "vectorial → graph" in question
    assert question.endswith("wrong → right")
    assert sum("nearest to the boundary" in line for line in lines) == 2
    assert [line for line in lines if STILL in line and line.rstrip().endswith("right")]


def test_its_json_holds_every_move(polyrag: Run, small_data: Path, new: Path, questions: Path) -> None:
    report = polyrag("--data", small_data, "route", "--impact", new, "--set", questions, "--json").json
    assert (report["chunks"], len(report["changed_chunks"]), report["questions"]) == (7, 4, 2)
    (moved,) = report["changed_questions"]
    assert (moved["question"], moved["old"], moved["new"]) == (MOVED, ["vectorial"], ["graph"])
    assert (moved["right_before"], moved["right_after"]) == (False, True)


def test_without_a_set_the_questions_asked_last_are_compared(polyrag: Run, own_data: Path, new: Path) -> None:
    assert "no question to compare" in polyrag("--data", own_data, "route", "--impact", new).out
    for question in (STILL, MOVED, STILL):
        polyrag("--data", own_data, "ask", "--no-cache", question)
    report = polyrag("--data", own_data, "route", "--impact", new, "--json").json
    assert (report["questions"], [m["question"] for m in report["changed_questions"]]) == (2, [MOVED])


def test_flags_hold_for_both_configurations(polyrag: Run, small_data: Path, new: Path, questions: Path) -> None:
    same = ("--override", "routing.named_weight=0.5", "--override", "routing.named_center=0.65")
    report = polyrag("--data", small_data, "route", "--impact", new, "--set", questions, *same, "--json").json
    assert (report["changed_chunks"], report["changed_questions"]) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--impact", "nowhere.toml"], "nowhere.toml: no such configuration file"),
        (["--impact", "new.toml", "a question"], "--impact takes no question"),
        (["--set", "set.yaml"], "--set belongs to --impact"),
        (["--impact", "none.toml"], "the embedder changes from hashing to none"),
    ],
)
def test_what_is_wrong_is_one_line(polyrag: Run, small_data: Path, arguments: list[str], said: str) -> None:
    Path("new.toml").write_text(NEW)
    Path("none.toml").write_text("")
    given = ["--override", "embedder.name=hashing"] if "none.toml" not in arguments else []
    if not given:
        # The environment wins over both files, so the corpus's own configuration can't be told by one of them.
        pytest.MonkeyPatch().delenv("POLYRAG_EMBEDDER__NAME")
        Path("polyrag.toml").write_text('[embedder]\nname = "hashing"\n')
        Path("none.toml").write_text('[embedder]\nname = "none"\n')
    assert said in polyrag("--data", small_data, "route", *arguments, *given).failed(2)


# ---------------------------------------------------------------- ingest
def test_an_ingest_says_what_a_changed_configuration_changes(polyrag: Run, own_data: Path, small_folder: Path) -> None:
    polyrag("--data", own_data, "ingest", small_folder)
    polyrag("--data", own_data, "ask", MOVED)
    Path("polyrag.toml").write_text(NEW)
    dry = polyrag("--data", own_data, "ingest", "--dry-run", small_folder)
    summary = [
        "changed since the last ingest: routing.named_center 0.65 → 0.0, routing.named_weight 0.5 → 8.0:",
        "  3 of 7 chunks change home (vectorial → graph 3), 1 more gain or lose a second home;"
        " 1 of the last 1 question changes route",
    ]
    moved = f"    “{MOVED}”  vectorial → graph"
    lines = dry.err.splitlines()
    assert (lines[:2], lines[-1], len(lines)) == (summary, moved, 2 + 4 + 1)
    assert "    regras.md › Regra B2, passage 2, lines 10–11  graph+vectorial → graph" in lines
    shown = polyrag("--data", own_data, "route", "--impact", "polyrag.toml")
    assert "1 of 1 question changes route" in shown.out
    assert [line for line in shown.out.splitlines() if MOVED in line and "vectorial → graph" in line]
    done = polyrag("--data", own_data, "ingest", small_folder, "--json")
    assert done.err.splitlines() == [
        *summary,
        moved,
        "  polyrag ingest --dry-run lists such changes before anything is applied",
    ]
    assert {file["status"] for file in done.json["files"]} == {"updated"}
    assert done.json["impact"]["changes"] == ["routing.named_center 0.65 → 0.0", "routing.named_weight 0.5 → 8.0"]
    assert len(done.json["impact"]["report"]["changed_chunks"]) == 4
    assert polyrag("--data", own_data, "ingest", small_folder).err == ""
    assert polyrag("--data", own_data, "ingest", small_folder, "--json").json["impact"] is None


def test_a_text_from_standard_input_is_an_ingest_like_any_other(polyrag: Run, own_data: Path) -> None:
    polyrag("--data", own_data, "ask", MOVED)
    Path("polyrag.toml").write_text(NEW)
    done = polyrag("--data", own_data, "ingest", "-", stdin=b"Ropes are kept below.")
    assert done.err.splitlines()[0].startswith("changed since the last ingest: routing.named_center")
    again = polyrag("--data", own_data, "ingest", "-", stdin=b"Ropes are kept above.")
    assert again.err.splitlines()[0].startswith("5 files were ingested under other settings")


def test_an_ingest_says_once_what_a_change_moves_of_questions_alone(
    polyrag: Run, own_data: Path, small_folder: Path
) -> None:
    polyrag("--data", own_data, "ingest", small_folder)
    for question in (MOVED, STILL):
        polyrag("--data", own_data, "ask", question)
    # Below this threshold no question but a table's goes by its cosine: no chunk moves.
    Path("polyrag.toml").write_text("[routing]\nevidence_min = 0.99\n")
    dry = polyrag("--data", own_data, "ingest", "--dry-run", small_folder)
    assert dry.err.splitlines() == [
        "changed since the last ingest: routing.evidence_min 0.23 → 0.99:",
        "  0 of 7 chunks change home; 2 of the last 2 questions change route",
        f"    “{STILL}”  vectorial → nothing",
        f"    “{MOVED}”  vectorial → nothing",
    ]
    done = polyrag("--data", own_data, "ingest", small_folder, "--json")
    assert done.err == dry.err
    assert {file["status"] for file in done.json["files"]} == {"unchanged"}
    assert polyrag("--data", own_data, "ingest", small_folder).err == ""


def test_an_ingest_compares_the_sets_that_the_configuration_names(
    polyrag: Run, own_data: Path, small_folder: Path
) -> None:
    polyrag("--data", own_data, "ingest", small_folder)
    polyrag("--data", own_data, "ask", STILL)
    Path("golden.yaml").write_text(f"- question: {MOVED}\n  route: vectorial\n")
    Path("polyrag.toml").write_text('[routing]\nevidence_min = 0.99\n[gate]\nsets = ["golden.yaml"]\n')
    dry = polyrag("--data", own_data, "ingest", "--dry-run", small_folder)
    assert dry.err.splitlines() == [
        "changed since the last ingest: routing.evidence_min 0.23 → 0.99:",
        "  0 of 7 chunks change home; 1 of 1 question changes route; right 1 → 0 of 1 labelled;"
        " 1 answerable question would be declined",
        f"    “{MOVED}”  vectorial → nothing  right → lost",
    ]
    Path("golden.yaml").write_text("- nothing: at all\n")
    spoilt = polyrag("--data", own_data, "ingest", small_folder)
    assert "not compared: " in spoilt.err
    assert "golden.yaml: item 1" in spoilt.err


def test_sets_of_the_configuration_are_measured_where_none_is_named(polyrag: Run, small_data: Path) -> None:
    assert "no question set is named" in polyrag("--data", small_data, "eval").failed(2)
    folder = Path("project")
    folder.mkdir()
    (folder / "golden.yaml").write_text(f"- question: {MOVED}\n  route: vectorial\n")
    (folder / "polyrag.toml").write_text('[gate]\nsets = ["golden.yaml"]\n')
    report = polyrag("--data", small_data, "--config", folder / "polyrag.toml", "eval", "--json").json
    assert list(report["sets"]) == [str((folder / "golden.yaml").absolute())]


def test_other_chunking_cuts_files_anew(polyrag: Run, own_data: Path, small_folder: Path) -> None:
    polyrag("--data", own_data, "ingest", small_folder)
    polyrag("--data", own_data, "ask", MOVED)
    Path("polyrag.toml").write_text("[chunking]\nmax_chars = 900\n")
    assert polyrag("--data", own_data, "ingest", "--dry-run", small_folder).err.splitlines() == [
        "changed since the last ingest: chunking.max_chars 1200 → 900:",
        "  5 files are cut anew; which questions go elsewhere isn't known before",
    ]
    Path("polyrag.toml").write_text("[chunking]\nmax_chars = 900\n[routing]\nevidence_min = 0.99\n")
    assert polyrag("--data", own_data, "ingest", small_folder).err.splitlines() == [
        "changed since the last ingest: chunking.max_chars 1200 → 900, routing.evidence_min 0.23 → 0.99:",
        "  5 files are cut anew; on today's passages 1 of the last 1 question changes route",
        f"    “{MOVED}”  vectorial → nothing",
    ]


def test_no_more_than_five_settings_are_named(polyrag: Run, own_data: Path, small_folder: Path) -> None:
    polyrag("--data", own_data, "ingest", small_folder)
    weights = ("bm25_weight", "cosine_weight", "coverage_weight", "entity_weight", "heading_weight", "text_weight")
    Path("polyrag.toml").write_text("[routing]\n" + "".join(f"{name} = 0.77\n" for name in weights))
    head = polyrag("--data", own_data, "ingest", small_folder).err.splitlines()[0]
    assert head.endswith("routing.heading_weight 0.1 → 0.77 and 1 more:")
    assert head.count("→") == 5


def test_where_nothing_is_noted_only_what_is_known_is_said(polyrag: Run, own_data: Path, small_folder: Path) -> None:
    with Engine.open(data_dir=own_data) as engine:
        engine.catalog.note(META_ROUTING, "")
    polyrag("--data", own_data, "ask", MOVED)
    Path("polyrag.toml").write_text(NEW)
    assert polyrag("--data", own_data, "ingest", small_folder).err.splitlines() == [
        "5 files were ingested under other settings or by another version; which wasn't noted:",
        "  3 of 7 chunks change home (vectorial → graph 3), 1 more gain or lose a second home as they are cut now;"
        " how questions went before isn't known",
        "  polyrag ingest --dry-run lists such changes before anything is applied",
    ]


def test_a_question_that_would_be_declined_is_called_lost(polyrag: Run, small_data: Path, questions: Path) -> None:
    Path("none.toml").write_text("[routing]\nevidence_min = 0.99\n")
    done = polyrag("--data", small_data, "route", "--impact", "none.toml", "--set", questions)
    assert "right 1 → 0 of 2 labelled; 2 answerable questions would be declined" in done.out
    (wrong,) = [line for line in done.out.splitlines() if MOVED[:20] in line]
    (right,) = [line for line in done.out.splitlines() if STILL in line]
    assert wrong.rstrip().endswith("wrong → lost")
    assert right.rstrip().endswith("right → lost")
    Path("now.toml").write_text("")
    back = polyrag("--data", small_data, "--config", "none.toml", "route", "--impact", "now.toml", "--set", questions)
    (right,) = [line for line in back.out.splitlines() if STILL in line]
    assert right.rstrip().endswith("declined → right")
    assert "would be declined" not in back.out


def test_an_ingest_of_the_same_configuration_says_nothing(polyrag: Run, own_data: Path, small_folder: Path) -> None:
    assert polyrag("--data", own_data, "ingest", small_folder).err == ""
    assert polyrag("--data", own_data, "ingest", "--skip-graph", small_folder).err == ""


def test_a_first_ingest_says_nothing(polyrag: Run, small_folder: Path) -> None:
    assert polyrag("ingest", small_folder, "--dry-run").err == ""
    assert polyrag("ingest", small_folder).err == ""


def test_the_shipped_configuration_is_the_default(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "route", "--impact", ROOT / "polyrag.toml")
    assert "  0 of 7 chunks change home" in done.out.splitlines()
