"""A store that can't be read: a warning and an error span, no bare nothing, and nothing that is kept for later."""

from __future__ import annotations

from typing import Any

import pytest

from polyrag_cli.answering.lacking import lacking
from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Answer, AnswerReady, Chunk, DecisionMade

FIGURE = "Qual foi a receita total?"
RULE = "Quem precisa autorizar a saída com vento forte?"


def asked_while_broken(
    engine: Engine, patch: pytest.MonkeyPatch, store: str, method: str, question: str, **choice: Any
) -> Answer:
    """The answer when a store fails from the decision on."""

    def broken(*_: object, **__: object) -> None:
        raise StoreError(f"{store}: the disk is gone.")

    for event in engine.ask_events(question, **choice):
        if isinstance(event, DecisionMade):
            patch.setattr(getattr(engine.stores, store), method, broken)
    patch.undo()
    assert isinstance(event, AnswerReady)
    return event.answer


@pytest.mark.parametrize(
    ("strategy", "store", "method"),
    [
        ("dense", "vector", "search"),
        ("lexical", "lexical", "search"),
        ("hybrid", "lexical", "search"),
        ("multi_query", "vector", "search"),
        ("diverse", "vector", "windows"),
        ("corrective", "vector", "search"),
        ("graph_walk", "graph", "arrays"),
        ("text_to_sql", "relational", "schemas"),
        ("text_to_sql", "relational", "execute"),
    ],
)
def test_a_failed_store_is_told_with_an_error_span(
    own_engine: Engine, monkeypatch: pytest.MonkeyPatch, strategy: str, store: str, method: str
) -> None:
    sql = strategy == "text_to_sql"
    choice = {"strategy": strategy, "route": "relational" if sql else "vectorial"}
    answer = asked_while_broken(own_engine, monkeypatch, store, method, FIGURE if sql else RULE, **choice)
    assert [w for w in answer.warnings if f"{store}: the disk is gone." in w]
    failed = [span.name for span in answer.spans if "the disk is gone" in span.error]
    assert failed and failed[-1].startswith("rag.")
    assert (answer.answer, answer.degraded) == (None, (f"{store}: the disk is gone.",))
    # What can still be read says what comes closest.
    assert (answer.closest is None) is (store == "vector" and method == "search")


def test_another_store_answers_and_the_warning_says_why(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    (route,) = own_engine.ask(RULE, use_cache=False).routes
    store, method = ("graph", "arrays") if route == "graph" else ("vector", "search")
    answer = asked_while_broken(own_engine, monkeypatch, store, method, RULE, use_cache=False)
    assert answer.answer is not None
    assert any(w.startswith(f"{route} failed; answered from ") for w in answer.warnings)
    assert not any("has nothing on this" in w for w in answer.warnings)
    assert answer.degraded == (f"{store}: the disk is gone.",)


def test_a_store_that_fails_when_it_is_handed_a_question_for_tables_is_told(
    own_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words that no table explains are looked for in passages; not being able to is no finding nothing."""
    question = "Qual foi a receita da balsa Xisto em janeiro?"
    whole = own_engine.ask(question, use_cache=False)
    assert (whole.routes, whole.answer, whole.degraded) == (("relational",), None, ())
    answer = asked_while_broken(own_engine, monkeypatch, "lexical", "search", question, use_cache=False)
    assert (answer.answer, answer.degraded) == (None, ("lexical: the disk is gone.",))
    assert [warning for warning in answer.warnings if "lexical: the disk is gone." in warning]


def test_an_answer_without_a_store_is_not_kept(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_engine.settings.cache.enabled
    (route,) = own_engine.ask(RULE, use_cache=False).routes
    store, method = ("graph", "arrays") if route == "graph" else ("vector", "search")
    assert asked_while_broken(own_engine, monkeypatch, store, method, RULE).answer is not None
    whole = own_engine.ask(RULE)
    assert not whole.cached and not any("the disk is gone" in warning for warning in whole.warnings)
    assert own_engine.ask(RULE).cached


def test_passages_that_can_not_be_quoted_are_told_too(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = asked_while_broken(own_engine, monkeypatch, "vector", "windows", RULE, strategy="lexical")
    assert (answer.answer, answer.warnings[0]) == (None, "answer: vector: the disk is gone.")
    assert {span.name for span in answer.spans if span.error} == {"answer.extractive"}


def test_a_search_whose_store_fails_is_an_error_not_an_empty_list(
    own_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = own_engine.answerer.search

    def broken(*_: object, **__: object) -> None:
        raise StoreError("lexical: the disk is gone.")

    def search(*given: Any) -> Any:
        monkeypatch.setattr(own_engine.stores.lexical, "search", broken)
        return real(*given)

    monkeypatch.setattr(own_engine.answerer, "search", search)
    with pytest.raises(StoreError, match="the disk is gone"):
        own_engine.search(RULE, strategy="hybrid")


def test_a_lost_table_file_costs_only_what_it_held(own_engine: Engine) -> None:
    for file in own_engine.paths.tables.glob("*.parquet"):
        file.unlink()
    answer = own_engine.ask(FIGURE)
    assert answer.answer is None
    assert [warning for warning in answer.warnings if "is gone. Ingest its folder again" in warning]
    both = own_engine.ask(f"{FIGURE} {RULE}")
    assert both.answer is not None and both.answer.startswith("(1) –")
    assert [warning for warning in both.warnings if "is gone" in warning]
    assert not own_engine.ask(f"{FIGURE} {RULE}").cached


def test_what_a_passage_lacks_of_a_question_is_as_asked_and_each_word_once() -> None:
    chunk = Chunk("c", "pans/oven.md", 0, 0, 20, "Steaks rest a while.", heading="Cooking", language="en")
    asked = read("Do I cook a rare steak with butter, a RARE steak, in pans and ovens?", "en")
    assert lacking(asked, chunk) == ("rare", "butter")
    assert lacking(read("Quanto tempo descansa o bife?", "pt"), chunk) == ()
    assert lacking(read("Steak?", "und"), chunk) == ()


def test_what_is_lacking_in_a_script_without_spaces_is_named_by_runs() -> None:
    chunk = Chunk("c", "a.md", 0, 0, 20, "渡船は九時に出る。", language="und")
    # 九 and 出 are held: 様 stands alone between others, 天気予報 is a run.
    assert lacking(read("天気予報 九様出 ferry km 天気予報", "und"), chunk) == ("天気予報", "ferry", "km")
