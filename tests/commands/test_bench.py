"""`bench`: what it prints, keeps, compares and refuses."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from polyrag_cli.commands.show_bench import show_comparison
from polyrag_cli.evaluation.bench import scale_parts
from polyrag_cli.evaluation.bench.saved_runs import ComparedRow, Comparison
from tests.command_line import Finished

Run = Callable[..., Finished]
QUICK = ("bench", "--rounds", "2", "--no-cold", "--clients", "2")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run is that is kept for all tests, once the first has made it."""
    return tmp_path_factory.mktemp("bench") / "run.json"


@pytest.fixture
def saved(polyrag: Run, small_data: Path, kept: Path) -> Path:
    """A run of one question, kept; its file may be changed."""
    Path("set.yaml").write_text('- question: "Como tudo começou?"\n')
    if not kept.exists():
        done = polyrag("--data", small_data, *QUICK, "--questions", "set.yaml", "--save", kept)
        assert (done.code, done.err) == (0, "")
    return Path(shutil.copy(kept, "run.json")).absolute()


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def test_what_is_measured_is_printed(polyrag: Run, small_data: Path, small_folder: Path) -> None:
    done = polyrag("--data", small_data, *QUICK, "--ingest", small_folder / "regras.md")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("6 questions · ") and "hashing" in lines[0]
    assert lines[1].split() == ["kind", "name", "n", "p50", "ms", "p95", "ms", "p99", "ms"]
    rows = {tuple(line.split()[:2]) for line in lines}
    assert {("routing", "decision"), ("cache", "hit"), ("cache", "miss"), ("span", "embed.query")} <= rows
    assert any(line.split()[:1] == ["2"] and len(line.split()) == 4 for line in lines)
    facts = {line.split()[0]: line for line in lines[-3:]}
    assert facts["memory"].count("MB") == 2
    assert "1 file, " in facts["ingest"] and "chunks/s" in facts["ingest"] and "windows/s" in facts["ingest"]
    assert any(line.startswith("in models") and "%" in line for line in lines)
    assert max(map(len, lines)) <= 100


def test_a_kept_run_is_what_json_prints(polyrag: Run, small_data: Path, saved: Path) -> None:
    printed = polyrag("--data", small_data, *QUICK, "--questions", "set.yaml", "--json").json
    kept = json.loads(saved.read_text())
    assert set(printed) == set(kept)
    assert {"format", "about", "questions", "rows", "throughput", "models", "memory", "ingest", "csv", "asked"} == set(
        kept
    )
    assert kept["asked"] == ["Como tudo começou?"]
    assert {"version", "config_hash", "fingerprint", "generation", "python", "cores"} <= set(kept["about"])
    row = kept["rows"][0]
    assert set(row) == {"kind", "name", "n", "p50_ms", "p95_ms", "p99_ms", "rounds"}
    assert row["n"] == sum(map(len, row["rounds"])) == 2


def test_a_kept_run_that_was_far_quicker_fails_only_when_asked(polyrag: Run, small_data: Path, saved: Path) -> None:
    def quicker(value: dict[str, Any]) -> None:
        for row in value["rows"]:
            # By more than any noise: a crowded machine makes rounds differ a hundredfold.
            row["rounds"] = [[sample / 1e6 for sample in one] * 2 for one in row["rounds"] * 2]
        for row in value["throughput"]:
            row["rates"] = [rate * 1e6 for rate in row["rates"]]

    changed(saved, quicker)
    arguments = ("--data", small_data, *QUICK, "--rounds", "4", "--questions", "set.yaml", "--against", saved)
    done = polyrag(*arguments)
    assert done.code == 0
    # A ratio of a million may stand on two lines of its cell: the sum below the table is always whole.
    assert "slower" in done.out.split("routing", 1)[1].split()
    assert " slower, 0 faster, " in done.out.splitlines()[-1]
    gated = polyrag(*arguments, "--max-slowdown", "3")
    assert gated.code == 4
    assert gated.err.startswith("polyrag bench: slower than 3× by more than the noise: routing decision ")
    assert gated.err.count("\n") == 1
    as_json = polyrag(*arguments, "--max-slowdown", "1e12", "--json")
    assert as_json.code == 0
    assert as_json.json["against"]["rows"][0]["verdict"] == "slower"


def test_another_corpus_and_machine_are_said(polyrag: Run, small_data: Path, saved: Path) -> None:
    changed(saved, lambda value: value["about"].update(fingerprint="0" * 64, cores=99))
    done = polyrag("--data", small_data, *QUICK, "--questions", "set.yaml", "--against", saved)
    assert "  differs: cores: 99 → " in done.out and "  differs: corpus: 000000000000 → " in done.out


def test_a_comparison_says_what_it_compares(polyrag: Run, small_data: Path, saved: Path) -> None:
    same = polyrag("--data", small_data, *QUICK, "--questions", "set.yaml", "--against", saved).out
    assert "  ratio: each question's own, now by before, and the median of 1; above 1: slower\n" in same
    assert "  95 %: where the ratio lies with 95 % confidence" in same and "only in" not in same
    Path("other.yaml").write_text("".join(f'- question: "Quem é o número {n}?"\n' for n in range(5)))
    done = polyrag("--data", small_data, *QUICK, "--questions", "other.yaml", "--against", saved)
    assert done.code == 0, done
    other = done.out
    assert "  only in the saved run: 1 question: “Como tudo começou?”\n" in other
    assert "  only in this run: 5 questions: “Quem é o número 0?”, " in other and "”, 2 more\n" in other
    assert "  ratio: medians of all questions together, now by before; above 1: slower\n" in other


def test_a_comparison_fits_80_columns_with_its_verdicts() -> None:
    rows = tuple(
        ComparedRow("span", "rag.relational.generate_sql", 1234.5, 2345.6, 1.9, 1.55, 2.1, 1.05, verdict, True)
        for verdict in ("slower", "faster", "same", "too few")
    )
    comparison = Comparison(rows, 1.0, (), (), (), ())
    written = io.StringIO()
    show_comparison(
        comparison, Path("run.json"), 24, Console(file=written, width=80, force_terminal=True, color_system=None)
    )
    lines = written.getvalue().splitlines()
    assert all(len(line) <= 80 for line in lines) and "…" not in written.getvalue()
    ends = [line.split()[-1] for line in lines if line.startswith("span")]
    assert ends == ["slower", "faster", "1.55–2.10", "few"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--against", "none.json"], "none.json"),
        (["--against", "foreign.json"], "foreign.json"),
        (["--max-slowdown", "1.5"], "--against"),
        (["--clients", "many"], "--clients many"),
        (["--save", "none/run.json"], "none/run.json"),
        (["--chart", "a.svg"], "--scale"),
        (["--scale", "x"], "--scale x"),
        (["--scale", ""], "--scale"),
        (["--scale", "1", "--max-slowdown", "2"], "--max-slowdown"),
        (["--against", "foreign.json", "--max-slowdown", "nan"], "--max-slowdown nan"),
        (["--ingest", "none"], "--ingest none"),
        (["--scale", "1", "--save", "a.json"], "--scale"),
        (["--questions", "none.yaml"], "none.yaml"),
    ],
)
def test_what_cannot_be_is_one_line(polyrag: Run, small_data: Path, arguments: list[str], words: str) -> None:
    Path("foreign.json").write_text('{"rows": []}')
    assert words in polyrag("--data", small_data, "bench", *arguments).failed(2)


@pytest.mark.long
def test_growth_needs_no_corpus_and_is_drawn(polyrag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_parts, "ROUNDS", 1)
    done = polyrag("--data", tmp_path / "none", "bench", "--scale", "1", "--chart", "growth.svg")
    assert done.code == 0
    assert not (tmp_path / "none").exists()
    lines = done.out.splitlines()
    assert lines[0].startswith("synthetic corpus · embedder hashing")
    rows = {line.split("  ")[0]: line for line in lines}
    assert {"ingest", "vector head", "graph walk", "SQL linking", "cache lookup", "chunks/s"} <= set(rows)
    assert rows["windows"].split()[1].isdecimal()
    picture = ElementTree.fromstring(Path("growth.svg").read_text())
    assert "graph walk" in {node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")}
