from __future__ import annotations

import json

import pytest

from polyrag_cli.answering.records import hit_from_json, stored_fields
from polyrag_cli.errors import StoreError
from polyrag_cli.types import HeadScore, Hit, as_json

HIT = Hit(
    "a.md", "id", "Cais", 2, 0, 5, "Texto", 0.5, "dense+lexical", ((0, 5),),
    (HeadScore("dense", 0.7, 1, 0.4), HeadScore("lexical", 3.2, 4, 0.1)),
)  # fmt: skip


def test_a_passage_comes_back_as_it_was() -> None:
    stored = json.loads(json.dumps(as_json(HIT)))
    assert stored["heads"][1] == {"head": "lexical", "score": 3.2, "rank": 4, "part": 0.1}
    assert hit_from_json(stored) == HIT


def test_a_passage_stored_before_heads_were_kept_has_none() -> None:
    stored = as_json(HIT)
    del stored["heads"]
    assert hit_from_json(stored).heads == ()


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"decision": {}}', "[" * 100_000])
def test_what_is_no_stored_answer_is_refused(text: str) -> None:
    with pytest.raises(StoreError, match="can't be read"):
        stored_fields(text)


def test_a_stored_answer_of_another_version_still_gives_its_decision() -> None:
    assert stored_fields('{"trace_id": "ab", "decision": {"question": "q"}}')["decision"] == {"question": "q"}
