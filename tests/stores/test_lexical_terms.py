"""Terms of chunks and of questions."""

from __future__ import annotations

from polyrag_cli.stores.lexical_terms import MAX_TERMS, index_terms, query_terms
from polyrag_cli.text.utterance import read
from tests.stores.corpus import chunk


def test_terms_of_a_script_without_spaces() -> None:
    terms, length = index_terms(chunk("東京都", language="und"))
    assert length == 3
    assert set(terms) == {"東", "京", "都", "東京", "京都", "東京都"}
    assert query_terms(read("東京都")) == [("東京",), ("京都",), ("東京都",)]
    assert query_terms(read("東")) == [("東",)]


def test_terms_of_a_hyphenated_word() -> None:
    terms, length = index_terms(chunk("follow-up QX-17", language="en"))
    assert length == 2
    assert {"follow-up", "follow", "qx-17"} <= set(terms)


def test_terms_are_distinct_and_limited() -> None:
    assert query_terms(read("walnut Walnut WALNUT")) == query_terms(read("walnut"))
    assert len(query_terms(read(" ".join(f"word{n}" for n in range(2 * MAX_TERMS))))) == MAX_TERMS
