"""Cells that list several values: a whole cell elsewhere doesn't hide them."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import RawTable
from tests.nl2sql.answers import line_of
from tests.nl2sql.tables import MemoryStore

ROWS = (
    ("Guide", "Languages", "Course"),
    ("Ana Ruiz", "English, Spanish", "Powerboat Level 2"),
    ("Bo Sand", "English", "Dinghy basics"),
    ("Cleo Hart", "French, Spanish, German", "Powerboat Level 3"),
    ("Eli Moss", "German", "Dinghy basics"),
)
STORE = MemoryStore(typed_tables([RawTable("guides", ROWS)], "guides.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "Which guides speak German?", "Cleo Hart; Eli Moss"),
        ("en", "Who speaks Spanish?", "Ana Ruiz; Cleo Hart"),
        ("en", "How many guides speak English?", "2 (2 of 4 rows)"),
        ("en", "Which guides teach powerboat courses?", "Ana Ruiz; Cleo Hart"),
        ("pt", "Quem fala German?", "Cleo Hart; Eli Moss"),
        ("pt", "Quem fala Spanish?", "Ana Ruiz; Cleo Hart"),
        ("es", "¿Quién habla German?", "Cleo Hart; Eli Moss"),
    ],
)
def test_a_member_of_a_list_is_found_beside_whole_cells(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line
