"""The same files, configuration and question give the same content and the same decisions, wherever they are run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from tests.command_line import HASHING, ROOT, environment, process
from tests.prepared import put_model

HASHED = {"embedder.name": "hashing"}
QUESTIONS = (
    "Qual foi a receita total?",
    "Quem precisa autorizar a saída com vento forte?",
    "Quantos passageiros teve cada linha e como tudo começou?",
    "umbrellas left on board",
)
PASSING = ("took_ms", "timings", "trace_id", "spans")


def fingerprint(engine: Engine) -> str:
    value = engine.corpus.health()["fingerprint"]
    assert isinstance(value, str) and len(value) == 64
    return value


def lasting(value: Any) -> Any:
    """A result without what differs from one run to the next."""
    if isinstance(value, Mapping):
        return {name: lasting(inner) for name, inner in value.items() if name not in PASSING}
    return [lasting(inner) for inner in value] if isinstance(value, list) else value


def test_twice_and_file_by_file_in_any_order_is_the_same(small_folder: Path, engine: Engine, tmp_path: Path) -> None:
    expected = fingerprint(engine)
    files = sorted(small_folder.iterdir())
    for number, order in enumerate((files, files[::-1], files[2:] + files[:2])):
        with Engine.open(data_dir=tmp_path / str(number), overrides=HASHED) as other:
            other.ingest([small_folder], dry_run=True)
            for file in order:
                other.ingest([file])
            other.ingest([small_folder])
            assert fingerprint(other) == expected


def test_after_changes_and_back_it_is_the_same(small_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(small_folder, tmp_path / "ferries"))
    with Engine.open(data_dir=tmp_path / "data", overrides=HASHED) as engine:
        engine.ingest([folder])
        before, original = fingerprint(engine), (folder / "regras.md").read_text()
        (folder / "regras.md").write_text(original.replace("proíbe", "permite"))
        (folder / "extra.txt").write_text("Something else.")
        engine.ingest([folder])
        assert fingerprint(engine) != before
        (folder / "regras.md").write_text(original)
        (folder / "extra.txt").unlink()
        engine.ingest([folder])
        assert fingerprint(engine) == before


@pytest.mark.parametrize(
    ("embedder", "seed", "threads"),
    [
        pytest.param("hashing", "0", "1", marks=pytest.mark.long),
        pytest.param("hashing", "1", "2", marks=pytest.mark.long),
        pytest.param("use-m3", "0", "1", marks=pytest.mark.long),
        ("use-m3", "random", "2"),
        pytest.param("use-m3", "1", "2", marks=pytest.mark.long),
    ],
)
def test_hash_seed_threads_and_working_directory_change_nothing(
    small_folder: Path, model: Path, tmp_path: Path, embedder: str, seed: str, threads: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    for data in (tmp_path / "here", elsewhere / "there"):
        put_model(model, data)
    with Engine.open(data_dir=tmp_path / "here", overrides={"embedder.name": embedder}) as engine:
        engine.ingest([small_folder])
        expected = fingerprint(engine)
    env = environment(
        PYTHONHASHSEED=seed,
        POLYRAG_EMBEDDER__NAME=embedder,
        POLYRAG_EMBEDDER__THREADS=threads,
        OMP_NUM_THREADS=threads,
        OPENBLAS_NUM_THREADS=threads,
    )
    relative = os.path.relpath(small_folder, elsewhere)
    done = process("--data", "there", "ingest", relative, cwd=elsewhere, env=env)
    assert done.code == 0, done.err
    report = process("--data", "there", "doctor", "--json", cwd=elsewhere, env=env)
    assert report.json["fingerprint"] == expected


ASKING = """
import json, sys
from polyrag_cli.cli import run

data, questions = sys.argv[1], sys.argv[2:]
for question in questions:
    assert run(["--data", data, "route", "--json", question]) == 0
    assert run(["--data", data, "ask", "--no-cache", "--json", question]) in (0, 1)
"""


def answers(data: Path, cwd: Path, questions: Sequence[str], **changes: str) -> list[Any]:
    """What `route --json` and `ask --json` print for each question in a process of its own, without times."""
    done = subprocess.run(
        [sys.executable, "-c", ASKING, str(data), *questions],
        cwd=cwd,
        env=environment(**changes),
        capture_output=True,
        text=True,
        check=True,
    )
    return [lasting(json.loads(line)) for line in done.stdout.splitlines()]


def check_alike(data: Path, cwd: Path, questions: Sequence[str], **changes: str) -> None:
    """Two processes with other hash seeds and numbers of threads decide and answer alike."""
    one = answers(data, cwd, questions, PYTHONHASHSEED="1", OMP_NUM_THREADS="1", **changes)
    other = answers(data, cwd, questions, PYTHONHASHSEED="4711", OMP_NUM_THREADS="2", **changes)
    assert len(one) == 2 * len(questions)
    assert one == other


def test_two_processes_decide_and_answer_alike(demo_data: Path, tmp_path: Path) -> None:
    questions = ("Qual espetáculo vendeu mais ingressos e quem decide sobre o cancelamento?", "How did the tour go?")
    check_alike(demo_data, tmp_path, questions)


@pytest.mark.long
def test_two_processes_embedding_by_spelling_decide_and_answer_alike(small_data: Path, tmp_path: Path) -> None:
    check_alike(small_data, tmp_path, QUESTIONS, **HASHING)


def test_an_engine_that_was_used_answers_as_a_fresh_one(demo_data: Path, demo: Engine) -> None:
    from polyrag_cli.types import as_json

    question = "Quem responde pela segurança das oficinas?"
    for other in ("Qual a receita bruta total?", "Who supplies the lamps?", "oi"):
        demo.ask(other, use_cache=False)
    with Engine.open(data_dir=demo_data, config=ROOT / "polyrag.toml") as fresh:
        assert lasting(as_json(fresh.ask(question, use_cache=False))) == lasting(
            as_json(demo.ask(question, use_cache=False))
        )
