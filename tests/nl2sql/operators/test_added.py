"""A file that is added is an operator: with its phrases in the language files it answers, and nothing else changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import polyrag_cli
from tests.command_line import HASHING, PATIENCE_S, environment

PACKAGE = Path(polyrag_cli.__file__).parent
TABLE = "harbour,day,trips\nFoz,2023-01-04,120\nFoz,2023-02-08,95\nAmieira,2023-01-15,210\nAmieira,2023-02-20,188\n"
OPERATOR = """
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Measure, Rows
from polyrag_cli.nl2sql.proposals import Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Spread:
    rows: Rows
    column: str

    def render(self, renderer: Renderer) -> str:
        column = renderer.column(self.column)
        return f"SELECT MAX({column}) - MIN({column}) AS spread {renderer.source(self.rows).clause()}"

    def state(self, speaker: Speaker, result: Result) -> str:
        return f"{speaker.cell(result.rows[0][0], self.column)} ({speaker.label(self.column)})"


class Spreading:
    name = "spreading"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("spread")
        for measure in scope.measures if marks else ():
            covered = covering(words_of([*marks, *scope.marks("which")]), scope.naming(measure.entry))
            yield Proposal(self.name, Spread(scope.rows, measure.entry.column.name), 1.2, covered)


OPERATOR = Spreading()
"""
PHRASES = {"en": '["spread", "spread of"]', "pt": '["amplitude"]'}
QUESTIONS = [
    "What is the spread of the trips in Foz?",
    "Qual foi a amplitude de trips?",
    "How many trips were there in Foz?",
]
SCRIPT = f"""
import json
from pathlib import Path
from polyrag_cli import Engine

with Engine.open(data_dir=Path("data")) as engine:
    engine.ingest([Path("trips.csv")])
    print(json.dumps([engine.ask(text, use_cache=False).answer for text in {QUESTIONS!r}]))
"""


def _answers(folder: Path, added: bool) -> list[Any]:
    package = folder / "polyrag_cli"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("compiled.txt"))
    if added:
        (package / "nl2sql" / "operators" / "spreading.py").write_text(OPERATOR)
        for code, phrases in PHRASES.items():
            file = package / "languages" / f"{code}.toml"
            file.write_text(
                file.read_text().replace("[tables.operators]\n", f"[tables.operators]\nspread = {phrases}\n")
            )
    (folder / "trips.csv").write_text(TABLE)
    environ = environment(**HASHING, PYTHONPATH=str(folder))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("added", "spreads"), [(True, ["25 (trips)", "115 (trips)"]), (False, [None, None])], ids=["added", "without"]
)
def test_an_added_file_is_an_operator(tmp_path: Path, added: bool, spreads: list[str | None]) -> None:
    first, second, counted = _answers(tmp_path, added)
    assert [first, second] == spreads
    assert counted is not None and counted.startswith("215 (")
