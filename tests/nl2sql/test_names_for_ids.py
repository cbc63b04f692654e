"""Rows that are numbered are answered with their names, where the table has these."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of
from tests.nl2sql.tables import MemoryStore, raw

CUSTOMERS = """
Customer ID,Name,Town,Joined
C1,Ana Luz,Leeds,2022-03-01
C2,Bo Sand,York,2021-05-02
C3,Cy Lunt,York,2022-07-09
""".strip()
RENTALS = "Rental,Date out,Customer ID,Charge\n" + "\n".join(
    f"R{i},2024-0{1 + i % 3}-1{i % 9},C{1 + i % 2},{10 + i}" for i in range(1, 9)
)
STORE = MemoryStore(
    [
        *typed_tables([raw("customers", CUSTOMERS, ",")], "customers.csv"),
        *typed_tables([raw("rentals", RENTALS, ",")], "rentals.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Which customers joined in 2022?", "Ana Luz; Cy Lunt"),
        ("Who joined first?", "Bo Sand: 2021-05-02 (lowest Joined)"),
        ("How many customers live in York?", "2 (2 of 3 rows)"),
        ("What is the customer id of Bo Sand?", "C2"),
        # Rentals are rows here, though their name is one of money.
        ("What percentage of rentals were of customer C1?", "50% (4 of 8, rows counted)"),
        ("Which month had the most rentals?", "2024-02: 3; 2024-03: 3 (highest rows counted)"),
    ],
)
def test_names_stand_for_rows(question: str, line: str) -> None:
    assert line_of("en", question, INDEX, STORE) == line
