"""What a process that answers one question needn't load, build or embed: it is kept from ingest, or not needed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli import cli
from polyrag_cli.engine import Engine
from polyrag_cli.stores import graph_sqlite
from tests.command_line import HASHING, environment

HASHED = {"embedder.name": "hashing"}
TABLE = "Qual linha teve mais passageiros?"
# A word that no label explains by its spelling, so that it is compared with all of them by meaning.
MEANT = "Qual linha transportou mais passageiros?"
GRAPH = "Quem autoriza a saída pela Regra B1?"


def _answers(data: Path) -> list[dict[str, Any]]:
    """What a new process would answer, without what differs by nature."""
    found = []
    with Engine.open(data_dir=data, overrides=HASHED) as engine:
        for question in (TABLE, MEANT, GRAPH, "When does the last ferry leave?"):
            answer = asdict(engine.ask(question, use_cache=False))
            for name in ("trace_id", "took_ms", "spans"):
                del answer[name]
            for name in ("took_ms", "timings"):
                answer["decision"].pop(name, None)
            found.append(json.loads(json.dumps(answer, default=str)))
    return found


HEAVY = {"numpy.ma", "duckdb", "sqlglot", "faiss", "networkx", "openpyxl", "scipy", "rich.table", "textual"}
# What a decision alone has no use for: other commands' parts, what only answers or ingesting are made of.
UNDECIDED = HEAVY | {
    "_duckdb", "decimal", "opentelemetry", "rapidfuzz", "rich", "socket", "tempfile",
    "polyrag_cli.answering", "polyrag_cli.chunking", "polyrag_cli.loaders", "polyrag_cli.tables",
    "polyrag_cli.engine.asking", "polyrag_cli.engine.corpus", "polyrag_cli.engine.traces",
    "polyrag_cli.graph.base", "polyrag_cli.ingest.base", "polyrag_cli.nl2sql.algebra", "polyrag_cli.nl2sql.linking",
    "polyrag_cli.nl2sql.meanings", "polyrag_cli.routing.chunk_homes", "polyrag_cli.scoring.beam",
    "polyrag_cli.stores.activity", "polyrag_cli.stores.jobs", "polyrag_cli.strategies.base",
    "polyrag_cli.types.answers", "polyrag_cli.types.events", "polyrag_cli.types.impact", "polyrag_cli.types.labels",
    "polyrag_cli.types.reports", "polyrag_cli.types.spans", "polyrag_cli.types.table_cards",
}  # fmt: skip
# Making one takes as long as reading a language; 98 when this was written.
MOST_DATACLASSES = 98


def _loaded(tmp_path: Path, *arguments: str) -> tuple[set[str], int]:
    """What a process has loaded once it has run a command line: its modules, and how many dataclasses of ours."""
    code = (
        "import json, sys\n"
        "from polyrag_cli.cli import run\n"
        f"assert run({list(arguments)!r}) == 0\n"
        "ours = [m for name, m in list(sys.modules.items()) if name.startswith('polyrag_cli.')]\n"
        "made = {v for m in ours for v in vars(m).values() if '__dataclass_fields__' in getattr(v, '__dict__', ())}\n"
        "print(json.dumps([sorted(sys.modules), len(made)]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(**HASHING),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules, made = json.loads(done.stdout.splitlines()[-1])
    return set(modules), made


def test_a_question_about_tables_loads_nothing_that_it_does_not_use(own_data: Path, tmp_path: Path) -> None:
    modules, _ = _loaded(tmp_path, "--data", str(own_data), "ask", TABLE)
    assert modules & HEAVY == set()
    assert "_duckdb" in modules


@pytest.mark.parametrize("question", [MEANT, GRAPH])
def test_a_decision_loads_and_makes_only_what_it_needs(own_data: Path, tmp_path: Path, question: str) -> None:
    modules, made = _loaded(tmp_path, "--data", str(own_data), "route", question)
    assert modules & UNDECIDED == set()
    assert made <= MOST_DATACLASSES


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        (["ask", "route"], ["ask"]),
        (["--data", "ask", "--config=x", "route", "why?"], ["route"]),
        (["trace", "list"], ["trace"]),
    ],
)
def test_the_command_that_is_named_is_built_alone(argv: list[str], names: list[str]) -> None:
    part = cli._part_for(argv)
    assert [one.name for one in part.registered_commands] + [one.name for one in part.registered_groups] == names


@pytest.mark.parametrize("argv", [[], ["--help"], ["nothing", "ask"], ["--data", "ask"], ["--version", "ask"]])
def test_all_commands_are_built_where_none_is_named(argv: list[str]) -> None:
    assert cli._part_for(argv) is cli.app


def test_the_first_question_embeds_nothing_but_its_own_words(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine.open(data_dir=own_data, overrides=HASHED) as engine:
        seen: list[str] = []
        embed = engine.embedder.embed

        def remembering(texts: Sequence[str]) -> NDArray[np.float32]:
            seen.extend(texts)
            return embed(texts)

        monkeypatch.setattr(engine.embedder, "embed", remembering)
        engine.ask(MEANT, use_cache=False)
    assert seen
    assert all(text in MEANT.lower() for text in seen), seen


def _delete(cache: Path) -> None:
    shutil.rmtree(cache)


def _damage(cache: Path) -> None:
    for file in cache.glob("*.*"):
        file.write_bytes(b"nonsense" * 50)


def _forbid(cache: Path) -> None:
    shutil.rmtree(cache)
    cache.write_text("a file where the folder should be", encoding="utf-8")


@pytest.mark.parametrize("harm", [_delete, _damage, _forbid])
def test_without_the_cache_the_answers_are_the_same(own_data: Path, harm: Callable[[Path], None]) -> None:
    expected = _answers(own_data)
    assert expected[0]["sql"]
    harm(own_data / "cache")
    # The second process meets what the first one left.
    assert _answers(own_data) == _answers(own_data) == expected


def test_what_an_interrupted_ingest_left_out_is_built_by_one_reader_alone(
    own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _answers(own_data)
    for derived in (*own_data.glob("cache/graph-*"), *own_data.glob("cache/labels-*")):
        derived.unlink()
    assert _answers(own_data) == expected
    assert list(own_data.glob("cache/graph-*")) and list(own_data.glob("cache/labels-*"))
    monkeypatch.setattr(graph_sqlite, "_build", None)
    assert _answers(own_data) == expected
