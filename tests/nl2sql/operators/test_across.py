"""Columns set against each other."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.deciding import Candidate, decide
from polyrag_cli.nl2sql.index import table_entry
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from tests.nl2sql.answers import stated
from tests.nl2sql.tables import MemoryStore, raw

BRANCHES = """
Branch,Jan,Feb,Mar,Apr
Leeds,10,30,20,5
Porto,40,15,25,60
Lyon,7,7,30,12
""".strip()
STOCK = """
Item,Units sold,Units returned,Weight (kg)
Chair,100,40,900
Desk,20,60,500
""".strip()
PORTS = """
Port,2014 sales,2015 sales,2016 sales,2014 visits,2015 visits,2016 visits
Leeds,10,30,20,5,9,7
Porto,40,15,25,60,70,61
""".strip()
SEASONS = """
Club,2013/14,2014/15,2015/16
Leeds,10,30,20
Porto,40,15,25
""".strip()
STORE = MemoryStore(
    [
        *typed_tables([raw("branches", BRANCHES, ",")], "branches.csv"),
        *typed_tables([raw("ports", PORTS, ",")], "ports.csv"),
        *typed_tables([raw("seasons", SEASONS, ",")], "seasons.csv"),
        *typed_tables([raw("stock", STOCK, ",")], "stock.csv"),
    ]
)
TABLES = {schema.name: table_entry(schema) for schema in STORE.schemas(None)}


def candidates(table: str, question: str) -> tuple[Candidate, ...]:
    asked = take_apart(read(question, "en"))
    return decide(asked, [TABLES[table]], None, lambda sql, _: STORE.execute(None, sql)).candidates


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("branches", "Did February or March bring Leeds more?", ["February"]),
        ("branches", "Did February or March bring Leeds less?", ["March"]),
        ("branches", "Which month had the highest figure for Porto?", ["Apr"]),
        ("branches", "Which month had the lowest figure for Porto?", ["Feb"]),
        # Both have 7: the tie is shown.
        ("branches", "Which month had the lowest figure for Lyon?", ["Feb", "Jan"]),
        # Of 40, 15 and 25 the first, of 60, 70 and 61 the second: by what words name.
        ("ports", "Which year had the highest sales in Porto?", ["2014 sales"]),
        ("ports", "Which year had the highest visits in Porto?", ["2015 visits"]),
        ("ports", "In which year were the sales of Leeds lowest?", ["2014 sales"]),
        ("seasons", "Which year had the highest figure for Leeds?", ["2014/15"]),
        ("stock", "Which is higher in total, units sold or units returned?", ["units sold"]),
        ("stock", "Which is higher for the desk, units sold or units returned?", ["units returned"]),
    ],
)
def test_the_column_that_holds_more(table: str, question: str, expected: list[str]) -> None:
    best = candidates(table, question)[0]
    assert best.reading.proposal.operator == "across"
    assert [row[0] for row in best.rows.rows] == expected


@pytest.mark.parametrize(
    ("table", "question"),
    [
        # Kilograms are never more than pieces, a tie has no larger one, and no row of the table is named.
        ("stock", "Which is higher in total, units sold or weight?"),
        ("branches", "Did January or February bring Lyon more?"),
        ("branches", "Which month had the highest figure?"),
    ],
)
def test_what_is_not_set_against_each_other(table: str, question: str) -> None:
    found = candidates(table, question)
    assert all(c.reading.proposal.operator != "across" or c.score.needed for c in found)


def test_it_is_stated_with_its_figure() -> None:
    best = candidates("branches", "Which month had the highest figure for Porto?")[0]
    assert stated(best, "en", STORE) == "Apr: 60"
