"""polyrag eval: the measures, the gate and its files, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command_line import Finished

Run = Callable[..., Finished]

SET = """
- question: "Qual a receita total de Foz?"
  route: relational
  facts: ["1342,50"]
  lang: pt
  tags: [sum]
- question: "What did the bell in the harbour office come from?"
  route: vectorial
  relevant: ["came from a ship"]
  facts: ["ship"]
  lang: en
  tags: [story]
- question: "Qual é a capital da Mongólia?"
  answer: null
  lang: pt
"""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "cwd" / "set.yaml"
    file.write_text(SET, encoding="utf-8")
    return file


@pytest.fixture
def evaluate(polyrag: Run, small_data: Path, questions: Path) -> Run:
    return lambda *arguments: polyrag("--data", small_data, "eval", "--set", questions, *arguments)


@pytest.fixture
def baseline(evaluate: Run, tmp_path: Path) -> Path:
    file = tmp_path / "cwd" / "baseline.json"
    assert evaluate("--update-baseline", file).code == 0
    return file


def stricter(evaluate: Run, *arguments: str | Path) -> Finished:
    """A run under a setting that leaves nothing answerable."""
    return evaluate(*arguments, "--override", "routing.evidence_min=2.0")


# ---------------------------------------------------------------- measures
def test_measures_stand_with_their_intervals(evaluate: Run) -> None:
    done = evaluate()
    assert done.code == 0
    assert "3 questions" in done.out
    rows = {line.split()[0]: line for line in done.out.splitlines() if line.strip()}
    assert rows["metric"].split() == ["metric", "all", "95", "%", "none", "relational", "vectorial"]
    for metric in ("router", "recall@10", "ndcg@10", "precision", "coverage", "false_hit_rate", "latency_p95_ms"):
        assert metric in rows


@pytest.mark.parametrize(("by", "groups"), [("lang", ["en", "pt"]), ("tags", ["story", "sum"])])
def test_measures_by_language_and_by_tag(evaluate: Run, by: str, groups: list[str]) -> None:
    lines = evaluate("--by", by).out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(by))
    assert [line.split()[0] for line in lines[start + 2 : start + 4]] == groups


def test_json_keeps_its_keys_and_adds_the_gates(evaluate: Run, baseline: Path, questions: Path) -> None:
    report = evaluate("--json").json["sets"][str(questions)]
    assert {"questions", "overall", "counts", "routes", "longest_answer_words", "items"} <= report.keys()
    assert report["langs"].keys() == {"en", "pt"}
    assert report["intervals"]["router"][0] <= report["overall"]["router"] <= report["intervals"]["router"][1]
    gated = evaluate("--json", "--gate", baseline).json["gate"]
    assert (gated["passed"], gated["reasons"], gated["sets"][str(questions)]["lost"]) == (True, [], [])


def test_failures_are_listed(evaluate: Run) -> None:
    out = stricter(evaluate, "--failures").out
    assert "Qual a receita total de Foz?" in out
    assert "facts, coverage · routed relational · no answer" in out


# ---------------------------------------------------------------- the gate
def test_an_unchanged_run_passes(evaluate: Run, baseline: Path) -> None:
    done = evaluate("--gate", baseline)
    assert done.code == 0
    assert "no question changed" in done.out
    assert done.out.rstrip().endswith("gate passed")


def test_a_lost_question_fails_the_gate_and_is_named_everywhere(evaluate: Run, baseline: Path, tmp_path: Path) -> None:
    junit, markdown = tmp_path / "junit.xml", tmp_path / "eval.md"
    done = stricter(evaluate, "--gate", baseline, "--junit", junit, "--markdown", markdown)
    assert done.code == 4
    assert done.err == "polyrag eval: the gate failed: 2 questions lost, 0 allowed.\n"
    lost = "Qual a receita total de Foz?"
    assert f"lost  {lost}" in done.out
    assert "facts 1 → 0" in done.out
    assert "stage 3: evidence is below 2.00 everywhere; no longer answerable" in done.out
    assert "settings: routing.evidence_min 0.23 → 2.0" in done.out
    assert done.out.rstrip().endswith("gate FAILED")
    failed = [
        case.get("name") for case in ElementTree.parse(junit).iter("testcase") if case.find("failure") is not None
    ]
    assert lost in failed and len(failed) == 2
    assert "**Gate failed**" in markdown.read_text(encoding="utf-8")


def test_a_bound_of_the_settings_fails_the_gate(evaluate: Run, baseline: Path) -> None:
    allowed = ("--gate", baseline, "--override", "gate.max_lost=5")
    assert stricter(evaluate, *allowed).code == 0
    done = stricter(evaluate, *allowed, "--override", "gate.facts_min=0.5")
    assert done.code == 4
    assert done.err == "polyrag eval: the gate failed: facts 0.000 is below gate.facts_min 0.5.\n"


@pytest.mark.parametrize(
    "setting", ["gate.facts_min=1.5", "gate.max_lost=-1", "gate.max_lost=0.5", "gate.recall_min=1"]
)
def test_an_impossible_bound_is_refused(evaluate: Run, setting: str) -> None:
    assert setting.partition("=")[0] in evaluate("--override", setting).failed(2)


def test_a_baseline_is_updated_only_by_a_run_that_passes(evaluate: Run, baseline: Path) -> None:
    before = baseline.read_text(encoding="utf-8")
    assert stricter(evaluate, "--gate", baseline, "--update-baseline", baseline).code == 4
    assert baseline.read_text(encoding="utf-8") == before
    assert stricter(evaluate, "--update-baseline", baseline).code == 0
    assert stricter(evaluate, "--gate", baseline).code == 0


def test_several_sets_share_a_baseline(evaluate: Run, tmp_path: Path) -> None:
    other = tmp_path / "cwd" / "other.jsonl"
    other.write_text('{"question": "Who rings the bell?", "route": "vectorial"}\n', encoding="utf-8")
    file = tmp_path / "b.json"
    assert evaluate("--set", other, "--update-baseline", file).code == 0
    held = json.loads(file.read_text(encoding="utf-8"))["sets"]
    assert sorted(held) == ["cwd/other.jsonl", "cwd/set.yaml"]
    done = evaluate("--set", other, "--gate", file)
    assert done.code == 0
    assert done.out.count("no question changed") == 2


# ---------------------------------------------------------------- a fresh corpus
def test_reset_measures_the_files_as_they_are(
    polyrag: Run, own_data: Path, small_folder: Path, questions: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_text("linha;receita\nFoz;1,00\nFoz;2,00\n", encoding="utf-8")
    files = sorted(own_data.rglob("*"))
    run: Run = lambda *more: polyrag("--data", own_data, "eval", "--set", questions, "--json", "--reset", *more)  # noqa: E731
    recorded = run().json["sets"][str(questions)]
    assert recorded["overall"]["facts"] == 1.0
    assert sorted(own_data.rglob("*")) == files
    named = run("--corpus", changed, "--corpus", small_folder / "notes.txt").json["sets"][str(questions)]
    assert named["items"][0]["answer"].startswith("3")


def test_reset_without_any_corpus_is_refused(polyrag: Run, questions: Path) -> None:
    message = polyrag("--data", "none", "eval", "--set", questions, "--reset").failed(2)
    assert "no corpus to read again" in message
    assert "--corpus PATH" in message


# ---------------------------------------------------------------- what is refused
def test_bad_arguments_are_refused_before_anything_runs(evaluate: Run, tmp_path: Path) -> None:
    assert "--by colour: unknown" in evaluate("--by", "colour").failed(2)
    assert "Add --reset" in evaluate("--corpus", tmp_path).failed(2)
    assert "no such file or folder" in evaluate("--reset", "--corpus", "nowhere").failed(2)
    assert "no such baseline" in evaluate("--gate", "none.json").failed(2)
    for option in ("--junit", "--markdown", "--update-baseline"):
        assert "is no folder" in evaluate(option, "nowhere/file").failed(2)
        assert "is a folder" in evaluate(option, tmp_path).failed(2)


def test_a_damaged_or_foreign_baseline_is_refused(evaluate: Run, baseline: Path, tmp_path: Path) -> None:
    text = baseline.read_text(encoding="utf-8")
    for broken in (text[: len(text) // 2], "{}", '{"sets": {}}'):
        baseline.write_text(broken, encoding="utf-8")
        assert "baseline.json: " in evaluate("--gate", baseline).failed(2)
    assert "is a directory" in evaluate("--gate", tmp_path).failed(2).lower()


def test_a_baseline_of_another_set_is_refused(polyrag: Run, small_data: Path, baseline: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text('- question: "Who rings the bell?"\n', encoding="utf-8")
    message = polyrag("--data", small_data, "eval", "--set", other, "--gate", baseline).failed(2)
    assert "holds set.yaml, but no question of ../other.yaml" in message


def test_a_gate_that_compares_nothing_fails(evaluate: Run, baseline: Path, questions: Path) -> None:
    others = SET.replace('facts: ["', 'facts: ["9", "').replace("answer: null", 'facts: ["9"]')
    questions.write_text(others, encoding="utf-8")
    run = evaluate("--gate", baseline)
    assert run.code == 4
    assert "nothing was compared" in run.err


def test_an_output_never_replaces_an_input(evaluate: Run, baseline: Path, questions: Path) -> None:
    wrong = (
        ["--junit", questions],
        ["--update-baseline", questions],
        ["--gate", baseline, "--junit", baseline],
        ["--junit", "same.x", "--markdown", "same.x"],
    )
    for arguments in wrong:
        run = evaluate(*arguments)
        assert run.code == 2 and "named twice" in run.err
    assert questions.read_text(encoding="utf-8") == SET


def test_what_was_measured_is_shown_also_where_a_report_cannot_be_kept(evaluate: Run) -> None:
    run = evaluate("--junit", "/dev/full", "--json")
    assert run.code == 3 and "No space left" in run.err
    assert json.loads(run.out)["sets"]


def test_an_unknown_route_and_an_empty_corpus_are_refused(evaluate: Run, questions: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    run = evaluate("--reset", "--corpus", tmp_path / "nothing")
    assert run.code == 3 and "nothing in it can be ingested" in run.err
    questions.write_text(SET.replace("route: relational", "route: relationall"), encoding="utf-8")
    run = evaluate()
    assert run.code == 2 and "Nearest: relational" in run.err
