"""Two tables of the tests of operators: who works where, and which club won which season."""

from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Expression
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.question import Question, take_apart
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Cell
from tests.nl2sql.answers import answered, stated
from tests.nl2sql.tables import STAFF, MemoryStore, raw

CLUB = """
Season,Champion,Members,Goals
2018,Foz,100,40
2019,Foz,120,38
2020,Amieira,150,45
2021,Foz,120,45
2022,Foz,180,50
2023,Foz,160,31
2024,Lapa,200,38
""".strip()
STORE = MemoryStore(
    [*typed_tables([raw("staff", STAFF, ",")], "staff.csv"), *typed_tables([raw("club", CLUB, ",")], "club.csv")]
)
INDEX = SchemaIndex(STORE.schemas(None))


def said(language: str, question: str) -> tuple[str, str]:
    """The operator that answers a question, and its answer in words."""
    chosen = answered(language, question, INDEX, STORE)
    return chosen.reading.proposal.operator, stated(chosen, language, STORE)


def rows_of(expression: Expression, table: str) -> tuple[tuple[Cell, ...], ...]:
    """What an expression gives over one of the tables."""
    return STORE.execute(None, expression.render(Renderer(entry(table)))).rows


def entry(table: str) -> TableEntry:
    """One of the tables."""
    return next(known for known in INDEX.tables if known.schema.name == table)


def parsed(question: str, language: str = "en") -> Question:
    """A question's words and what they say."""
    return take_apart(read(question, language))
