"""What tells the rows of a price apart is said with it; every price stands in a cell."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import answered, line_of
from tests.nl2sql.tables import MemoryStore, raw

HIRE = """
Item,Per,Size,Price
Helmet,hour,M,1.50
Helmet,day,M,4.00
Trailer,day,S,12.00
Trailer,day,L,15.00
Trailer,week,S,55.00
Lock,day,S,2.00
Pump,day,S,1.00
Pump,day,L,1.00
""".strip()
STORE = MemoryStore(typed_tables([raw("hire", HIRE, ",")], "hire.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "How much is a helmet?", "hour: 1.50; day: 4.00 (Price)"),
        ("pt", "Quanto custa o helmet?", "hour: 1,50; day: 4,00 (Price)"),
        # One column doesn't tell these apart, two do.
        ("en", "How much does the trailer cost?", "day, S: 12.00; day, L: 15.00; week, S: 55.00 (Price)"),
        ("en", "How much does the trailer cost per week?", "55.00 (Price)"),
        ("en", "How much is the lock?", "2.00 (Price)"),
        # Whatever the size, it costs the same.
        ("en", "How much is the pump?", "1.00 (Price)"),
    ],
)
def test_rows_of_a_price_are_told_apart(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


def test_the_price_stays_the_first_column() -> None:
    assert answered("en", "How much is a helmet?", INDEX, STORE).rows.rows == ((1.5, "hour"), (4.0, "day"))
