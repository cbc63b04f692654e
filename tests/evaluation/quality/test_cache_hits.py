"""False cache hits: served to another question, with other labels."""

import pytest

from polyrag_cli.answering.guard import Verdict
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.cache_hits import false_hits
from polyrag_cli.types import EvalItem

AMIEIRA = EvalItem("Qual a receita total de Amieira?", facts=("2290,50",))
FOZ = EvalItem("Qual a receita total de Foz?", facts=("1342,50",))


def tried(engine: Engine, *items: EvalItem) -> list[str]:
    return false_hits(engine, items, [engine.ask(item.question, use_cache=False) for item in items])


def test_different_questions_are_not_mixed_up(engine: Engine) -> None:
    assert tried(engine, AMIEIRA, FOZ) == ["", ""]


def test_without_the_guard_each_is_served_the_other(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyrag_cli.answering.cache.compare", lambda *_: Verdict(True, ""))
    assert tried(engine, AMIEIRA, FOZ) == [FOZ.question, AMIEIRA.question]


def test_the_same_question_in_other_words_is_a_right_hit(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyrag_cli.answering.cache.compare", lambda *_: Verdict(True, ""))
    assert tried(engine, AMIEIRA, EvalItem("Amieira: receita total?", facts=("2290,50",))) == ["", ""]


def test_a_repeat_of_itself_is_no_other_question(engine: Engine) -> None:
    assert tried(engine, AMIEIRA, AMIEIRA) == ["", ""]


def test_the_users_cache_stays_as_it_is(engine: Engine) -> None:
    before = engine.activity.version
    tried(engine, AMIEIRA, FOZ)
    assert engine.activity.version == before
