"""Routes of any names: what a route is asked about is its store, never what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.config.tree import ROUTES_FILE
from polyrag_cli.engine import Engine
from polyrag_cli.types import Answer
from tests.questions import FIGURE, RULE, STORY

NAMES = {"relational": "sales", "vectorial": "letters", "graph": "people"}
SWITCHED_OFF = "".join(f"[routes.{name}]\nenabled = false\n" for name in NAMES)


@pytest.fixture(scope="module")
def renamed(small_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The small corpus under the shipped routes, each called otherwise."""
    folder = tmp_path_factory.mktemp("renamed")
    shipped = ROUTES_FILE.read_text(encoding="utf-8")
    own = re.sub(r"\[routes\.(\w+)", lambda match: f"[routes.{NAMES[match[1]]}", shipped)
    config = folder / "polyrag.toml"
    config.write_text(f"{SWITCHED_OFF}\n{own}", encoding="utf-8")
    with Engine.open(data_dir=folder / "data", config=config, overrides={"embedder.name": "hashing"}) as engine:
        engine.ingest([small_folder])
        yield engine


@pytest.mark.parametrize(
    "question", [FIGURE, RULE, STORY, f"{FIGURE[:-1]} e como tudo começou?", "Quem descobriu a penicilina?"]
)
def test_answers_are_the_same_under_any_name(engine: Engine, renamed: Engine, question: str) -> None:
    usual, found = engine.ask(question, use_cache=False), renamed.ask(question, use_cache=False)
    assert found.routes == tuple(NAMES[name] for name in usual.routes)
    assert (found.answer, found.sql, found.strategy) == (usual.answer, usual.sql, usual.strategy)
    assert [hit.text for hit in found.sources] == [hit.text for hit in usual.sources]
    assert finals(found) == [{NAMES[name]: final for name, final in clause.items()} for clause in finals(usual)]


def finals(answer: Answer) -> list[dict[str, float]]:
    return [{score.route: score.final_score for score in clause.scores} for clause in answer.decision.clauses]


def test_files_find_their_homes_under_any_name(engine: Engine, renamed: Engine) -> None:
    def homes(of: Engine) -> dict[str, dict[str, int]]:
        return {file.document: dict(file.routes) for file in of.corpus.files()}

    assert homes(renamed) == {
        document: {NAMES[name]: count for name, count in routes.items()} for document, routes in homes(engine).items()
    }


def test_a_route_is_forced_and_replayed_by_its_own_name(renamed: Engine) -> None:
    answer = renamed.ask("balsa", route="letters", strategy="lexical")
    assert (answer.route, answer.decision.clauses[0].stage) == ("letters", 0)
    assert renamed.replay(answer.trace_id).same
