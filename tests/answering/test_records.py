from __future__ import annotations

import json

from polyrag_cli.answering.records import hit_from_json
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
