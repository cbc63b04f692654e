"""Links of words to columns where a stem alone doesn't tell which one is meant."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.linking import link
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from tests.nl2sql.tables import MemoryStore, raw

# The Spanish stemmer makes "colmen" of a hive and of the place where hives stand.
SITES = "lugar;colmenar;colmenas\nSierra;Umbría;40\nSierra;Tesoro;12\nValle;Viñas;31"
TABLE = SchemaIndex(MemoryStore(typed_tables([raw("visitas", SITES, ";")], "visitas.csv")).schemas(None)).tables[0]


@pytest.mark.parametrize(
    ("word", "columns"),
    [
        ("colmenar", ["colmenar"]),
        ("colmenares", ["colmenar"]),
        ("colmenas", ["colmenas"]),
        ("colmena", ["colmenar", "colmenas"]),
    ],
)
def test_of_equal_stems_the_word_itself_is_meant(word: str, columns: list[str]) -> None:
    (mention,) = link(take_apart(read(f"¿Cuántas {word} hay?", "es")), TABLE).columns
    assert [TABLE.columns[position].column.name for position, _ in mention.options] == columns
