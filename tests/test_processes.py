"""The product in several processes: who asks beside an ingest sees whole documents, kill -9 leaves whole commits."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from tests.command_line import HASHING, PATIENCE_S, Finished, environment, process

HASHED = {"embedder.name": "hashing"}

# Ingests two versions of a folder in turn: in one all piers say one colour, and the table has one sum.
INGEST = """
import sys
from pathlib import Path
from polyrag_cli.engine import Engine

folder, data = Path(sys.argv[1]), sys.argv[2]
with Engine.open(data_dir=data, overrides={"embedder.name": "hashing"}) as engine:
    for number in range(10**9):
        colour, amount = (("crimson", 10), ("turquoise", 1000))[number % 2]
        lamps = "".join(f"## Pier {n}\\n\\nThe lamp of pier {n} is {colour}.\\n\\n" for n in range(6))
        (folder / "lamps.md").write_text("# Lamps\\n\\n" + lamps)
        rows = "".join(f"pier {n},{amount}\\n" for n in range(6))
        (folder / "harbour.csv").write_text("pier,weight\\n" + rows)
        report = engine.ingest([folder])
        assert all(file.status in ("updated", "added", "unchanged") for file in report.files), report
        if number == 1:
            print("ready", flush=True)
"""


@contextmanager
def ingesting(folder: Path, data: Path) -> Iterator[subprocess.Popen[str]]:
    folder.mkdir(exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-c", INGEST, str(folder), str(data)], stdout=subprocess.PIPE, text=True, env=environment()
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            yield child
            assert child.poll() is None, "the ingest failed"
        finally:
            child.kill()


def ask_often(least: int, tmp_path: Path) -> None:
    """Asks at least `least` times while another process ingests, and until both versions were answered."""
    colours: set[str] = set()
    sums: set[object] = set()
    asked, deadline = 0, time.monotonic() + PATIENCE_S
    with (
        ingesting(tmp_path / "in", tmp_path / "data"),
        Engine.open(data_dir=tmp_path / "data", overrides=HASHED) as engine,
    ):
        while asked < least or len(colours) < 2 or len(sums) < 2:
            assert time.monotonic() < deadline, (asked, colours, sums)
            asked += 1
            answer = engine.ask("Which colour is the lamp of pier 3?", top_k=5)
            assert answer.answer is not None, answer
            assert not [w for w in answer.warnings if "trace" not in w], answer.warnings
            texts = " ".join(hit.text for hit in answer.sources if hit.document == "lamps.md")
            seen = {colour for colour in ("crimson", "turquoise") if colour in texts}
            assert len(seen) == 1, answer.sources
            colours |= seen
            total = engine.ask("total weight", route="relational", use_cache=False)
            assert total.rows in (((60,),), ((6000,),)), total
            sums.add(total.rows[0][0])


def test_who_asks_during_an_ingest_sees_whole_versions(tmp_path: Path) -> None:
    ask_often(10, tmp_path)


@pytest.mark.long
def test_who_asks_during_an_ingest_sees_whole_versions_for_long(tmp_path: Path) -> None:
    ask_often(300, tmp_path)


def test_one_shot_commands_work_beside_an_ingest(polyrag: Callable[..., Finished], tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ingesting(tmp_path / "in", data):
        for command in (
            ["ask", "lamp of pier 3"],
            ["sql", "SELECT COUNT(*) FROM harbour"],
            ["corpus", "list"],
            ["doctor"],
        ):
            done = polyrag("--data", data, *command)
            assert done.code == 0, done
        (tmp_path / "other.txt").write_text("A rope lies on the quay.")
        assert polyrag("--data", data, "ingest", tmp_path / "other.txt").code == 0
        assert "other.txt" in polyrag("--data", data, "search", "rope quay").out


def version(folder: Path, number: int) -> None:
    """Writes files of which each is one commit or shares one: every state between commits is one of few."""
    folder.mkdir(exist_ok=True)
    text = "".join(f"## Part {n}\n\nRope {n} of version {number} lies on the quay.\n\n" for n in range(40))
    (folder / "ropes.md").write_text(f"# Ropes {number}\n\n{text}")
    (folder / "fees.csv").write_text("pier,fee\n" + "".join(f"pier {n},{number * 100 + n}\n" for n in range(300)))


def fingerprint(data: Path) -> str:
    with Engine.open(data_dir=data, overrides=HASHED) as engine:
        value: str = engine.corpus.health()["fingerprint"]
        return value


def ingested(folder: Path, data: Path) -> str:
    """Ingests a folder in this process; the fingerprint of what is then in the stores."""
    with Engine.open(data_dir=data, overrides=HASHED) as engine:
        engine.ingest([folder])
    return fingerprint(data)


def until_changed(data: Path, before: str, child: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while fingerprint(data) == before:
        assert child.poll() in (None, 0), "it failed"
        assert time.monotonic() < deadline, "nothing is committed"


def kill_ingests(count: int, tmp_path: Path) -> set[str]:
    """Kills an ingest at once, at random points and once it has committed; which states were met."""
    folder, data = tmp_path / "in", tmp_path / "data"
    states: dict[str, str] = {}
    for number, name in ((1, "before"), (2, "after")):
        version(folder, number)
        states[ingested(folder, tmp_path / name)] = name
    assert len(states) == 2
    (before, _) = states
    started = time.monotonic()
    assert process("--data", data, "ingest", folder, cwd=tmp_path).code == 0
    took = time.monotonic() - started
    chance, met = random.Random(11), set()
    for attempt in range(count):
        version(folder, 1)
        assert ingested(folder, data) == before
        version(folder, 2)
        child = subprocess.Popen(
            [sys.executable, "-m", "polyrag_cli", "--data", str(data), "ingest", str(folder)],
            env=environment(**HASHING),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if attempt == count - 1:
            until_changed(data, before, child)
        elif attempt:
            time.sleep(took * chance.uniform(0.2, 1.2))
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        met.add(states[fingerprint(data)])
        with Engine.open(data_dir=data, overrides=HASHED) as engine:
            assert engine.ask("rope 7 on the quay", use_cache=False).answer is not None, attempt
    assert process("--data", data, "ingest", folder, cwd=tmp_path).code == 0
    assert states[fingerprint(data)] == "after"
    return met


def test_kill_9_of_an_ingest_leaves_the_corpus_as_before_or_after(tmp_path: Path) -> None:
    assert kill_ingests(3, tmp_path) == {"before", "after"}


@pytest.mark.long
def test_kill_9_of_an_ingest_at_twenty_points(tmp_path: Path) -> None:
    assert kill_ingests(20, tmp_path) == {"before", "after"}
