"""What every registered strategy promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.registry import names, resolve
from polyrag_cli.strategies.base import Context, Query, Strategy
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Retrieval
from tests.questions import FIGURE, RULE, STORY

NOTHING = "zyxwvut qponmlk"


@pytest.fixture
def context(engine: Engine) -> Iterator[Context]:
    with engine.snapshot() as snapshot:
        settings = engine.settings
        yield Context(
            snapshot, engine.stores, engine.embedder, settings.retrieval, settings.answer, engine.table_indexes
        )


@pytest.fixture(params=names("strategy"))
def strategy(request: pytest.FixtureRequest) -> Strategy:
    made: Strategy = resolve("strategy", request.param)()
    assert made.name == request.param
    return made


def _asked(engine: Engine, context: Context, strategy: Strategy, question: str, top_k: int = 3) -> Retrieval:
    clause = replace(engine.route(FIGURE).clauses[0], text=question, normalized=question, strategy=strategy.name)
    query = Query(read(question, "pt"), engine.embedder.embed_query(question), top_k)
    return strategy.retrieve(query, clause, context)


@pytest.mark.parametrize("question", [FIGURE, RULE, STORY])
def test_passages_stand_where_they_say_best_first_and_no_more_than_asked(
    engine: Engine, context: Context, strategy: Strategy, question: str
) -> None:
    found = _asked(engine, context, strategy, question)
    assert len(found.hits) <= 3
    assert len({hit.chunk_id for hit in found.hits}) == len(found.hits)
    for hit in found.hits:
        text = engine.document_text(hit.document)
        assert text[hit.start : hit.end] == hit.text
        assert hit.quotes and all(hit.start <= start < end <= hit.end for start, end in hit.quotes)
        assert hit.source and hit.score == round(hit.score, 6)


@pytest.mark.parametrize("question", [FIGURE, RULE, NOTHING, "?", "\0", "x" * 5000])
def test_asking_twice_finds_the_same(engine: Engine, context: Context, strategy: Strategy, question: str) -> None:
    assert _asked(engine, context, strategy, question) == _asked(engine, context, strategy, question)


def test_what_no_table_holds_gives_no_rows(engine: Engine, context: Context, strategy: Strategy) -> None:
    found = _asked(engine, context, strategy, NOTHING)
    assert found.rows is None or not found.rows.rows
