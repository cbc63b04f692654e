"""A thing's own column is meant before the one of its codes."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of
from tests.nl2sql.tables import MemoryStore, raw

CROPS = """
crop_code;crop;moisture
2418;Barley;17.5
1102;Oats;12.0
6203;Field beans;14.5
""".strip()
STORE = MemoryStore(typed_tables([raw("crops", CROPS, ";")], "crops.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "Which crop has the highest moisture?", "Barley: 17.5 (highest moisture)"),
        ("en", "Which crop code has the highest moisture?", "2418: 17.5 (highest moisture)"),
        ("pt", "Qual crop tem a maior moisture?", "Barley: 17,5 (maior moisture)"),
    ],
)
def test_the_name_is_shown(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line
