"""A file that is added is a language: nothing else changes, and all that reads questions knows it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit

import polyrag_cli
from polyrag_cli.languages import all_languages
from tests.command_line import HASHING, PATIENCE_S, environment

PACKAGE = Path(polyrag_cli.__file__).parent
CODE = "qzz"
# English words and what they are called in the language that is made up.
WORDS = {
    "how": "zuvo",
    "many": "dralo",
    "the": "lu",
    "of": "vo",
    "in": "nu",
    "were": "baso",
    "was": "basa",
    "there": "orro",
    "total": "summo",
    "highest": "topra",
    "sum": "addiro",
    "january": "genaro",
    "hello": "salvu",
}
TABLE = "harbour,day,trips\nFoz,2023-01-04,120\nFoz,2023-02-08,95\nAmieira,2023-01-15,210\nAmieira,2023-02-20,188\n"
QUESTION = "zuvo dralo trips baso orro nu Foz?"
OF_A_MONTH = "zuvo dralo trips baso orro nu genaro?"
HIGHEST = "what basa lu topra trips nu Amieira?"
GREETING = "salvu"
SCRIPT = f"""
import json
from pathlib import Path
from polyrag_cli import Engine
from polyrag_cli.text.utterance import read

with Engine.open(data_dir=Path("data"), config=Path("polyrag.toml")) as engine:
    engine.ingest([Path("trips.csv")])
    asked = {{text: engine.ask(text, use_cache=False) for text in {[QUESTION, OF_A_MONTH, HIGHEST, GREETING]!r}}}
    utterance = read({QUESTION!r})
    print(json.dumps({{
        "language": utterance.language,
        "content": [word.folded for word in utterance.content],
        "answers": {{text: answer.answer for text, answer in asked.items()}},
        "sql": {{text: answer.sql for text, answer in asked.items()}},
    }}))
"""


def translated(value: Any) -> Any:
    """What a language file says, with the words above put in the place of the English ones."""
    if isinstance(value, str):
        return re.sub(r"(?<![\w'])[a-z]+(?![\w'])", lambda match: WORDS.get(match[0], match[0]), value)
    if isinstance(value, list):
        return [translated(each) for each in value]
    if isinstance(value, dict):
        return {key: translated(each) for key, each in value.items()}
    return value


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package, in which a language may be added."""
    folder = tmp_path_factory.mktemp("added")
    shutil.copytree(PACKAGE, folder / PACKAGE.name)
    return folder


def add_language(package: Path) -> None:
    english = tomlkit.parse((PACKAGE / "languages" / "en.toml").read_text(encoding="utf-8")).unwrap()
    own = translated(english)
    # Its spelling is that of no language.
    own["detection"] |= {"endings": "", "beginnings": "", "inside": "", "outranks": []}
    own["greetings"]["replies"]["hello"] = "Salvu, salvu!"
    (package / PACKAGE.name / "languages" / f"{CODE}.toml").write_text(tomlkit.dumps(own), encoding="utf-8")


def asked(package: Path, folder: Path) -> Any:
    """What the package in a folder makes of the questions."""
    (folder / "trips.csv").write_text(TABLE, encoding="utf-8")
    anchor = f'[routes.relational.anchors]\nquestion.{CODE} = ["zuvo dralo baso orro nu every town?"]\n'
    (folder / "polyrag.toml").write_text(anchor, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env=environment(**HASHING, PYTHONPATH=str(package)),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_a_file_is_all_that_a_language_needs(package: Path, tmp_path: Path) -> None:
    assert CODE not in {each.code for each in all_languages()}
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
    before = asked(package, tmp_path / "before")
    assert before["language"] == "und"
    assert all("addiro" not in (answer or "") for answer in before["answers"].values())
    assert "zuvo" in before["content"] and before["answers"][GREETING] is None

    add_language(package)
    after = asked(package, tmp_path / "after")
    assert after["language"] == CODE
    assert after["content"] == ["trips", "foz"]
    answers, sql = after["answers"], after["sql"]
    assert "215" in answers[QUESTION] and "addiro vo trips" in answers[QUESTION]
    assert "330" in answers[OF_A_MONTH]
    assert "MAX" in sql[HIGHEST].upper() and "210" in answers[HIGHEST] and "topra trips" in answers[HIGHEST]
    assert answers[GREETING] == "Salvu, salvu!"
