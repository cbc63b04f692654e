"""Rankings from kept head scores: the same as hybrid search's, judged by their labels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.kept_passages import PassageRankings, is_judged
from polyrag_cli.evaluation.tuning.kept_questions import KeptQuestions
from polyrag_cli.types import EvalItem

ITEMS = (
    EvalItem("What happens to lost umbrellas?", relevant=("Umbrellas left on board",)),
    EvalItem("O que a enchente levou?", gold=("historia.md", "nowhere.md")),
    EvalItem("What happens to lost umbrellas?", relevant=("words that stand nowhere",)),
    EvalItem("total de passageiros por linha", routes=("relational",), relevant=("Amieira",)),
    EvalItem("Como tudo começou? E quem precisa autorizar a saída com vento forte?", relevant=("canoa",)),
    EvalItem("When does the bell ring?"),
)
WEIGHTS = {"retrieval.dense_weight": 0.9, "retrieval.lexical_weight": 0.0, "retrieval.home_bonus": 0.3}


@pytest.fixture
def kept(engine: Engine) -> KeptQuestions:
    return KeptQuestions(engine, ITEMS)


@pytest.fixture
def rankings(engine: Engine, kept: KeptQuestions) -> PassageRankings:
    return PassageRankings(engine, kept.questions, kept.decided({}))


def test_tables_compound_and_unlabelled_questions_are_not_judged(
    kept: KeptQuestions, rankings: PassageRankings
) -> None:
    judged = [is_judged(question, frozenset({"relational"})) for question in kept.questions]
    assert judged == [True, True, True, False, False, False]
    assert rankings.weights().tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]


def test_measures_by_hand(rankings: PassageRankings) -> None:
    recall, rank = rankings.measures({})
    assert recall.tolist() == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert rank.tolist() == [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    assert rankings.scores({}).tolist() == [1.0, 0.75, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("values", [{}, WEIGHTS])
def test_ranks_are_those_of_hybrid_search(
    values: dict[str, float], engine: Engine, kept: KeptQuestions, rankings: PassageRankings
) -> None:
    question = kept.questions[1].item.question
    with Engine.open(data_dir=engine.paths.root, overrides={"embedder.name": "hashing", **values}) as other:
        hits = other.search(question, strategy="hybrid").hits
    ranks = {hit.document: rank for rank, hit in reversed(list(enumerate(hits, 1)))}
    asked = [replace(kept.questions[1], item=EvalItem(question, gold=(name,))) for name in ranks]
    again = PassageRankings(engine, asked, [kept.decided({})[1]] * len(asked))
    assert len(ranks) > 2
    assert again.measures(values)[1].tolist() == pytest.approx([1 / rank for rank in ranks.values()])
