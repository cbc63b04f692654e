from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.column_items import column_items
from polyrag_cli.nl2sql.index import table_entry
from polyrag_cli.tables import typed_tables
from tests.nl2sql.operators.staff import entry, parsed
from tests.nl2sql.tables import MemoryStore, raw

STAFF = entry("staff")


def found(question: str, language: str = "en") -> dict[str, tuple[str, float, str]]:
    taken = parsed(question, language)
    return {
        " ".join(taken.tokens[i].text for i in item.tokens): (
            STAFF.columns[item.position].column.name,
            item.quality,
            item.part,
        )
        for item in column_items(taken, STAFF, None)
    }


def test_a_whole_label_is_surest() -> None:
    assert found("What is the average salary in the engineering department?") == {
        "salary": ("salary", 1.0, ""),
        "department": ("department", 1.0, ""),
    }


def test_a_word_of_another_language_names_a_notion_less_surely() -> None:
    assert found("Qual o escritório de Ada?", "pt")["escritório"] == ("office", 0.8, "")


def test_a_part_of_a_date_is_that_of_the_only_column_of_dates() -> None:
    assert found("Which month was Ada hired?") == {"month": ("hired", 0.95, "month"), "hired": ("hired", 1.0, "")}


def test_a_month_names_the_column_that_is_called_so_for_short() -> None:
    from tests.nl2sql.operators.test_across import TABLES

    taken = parsed("Did Leeds have more in March?")
    items = column_items(taken, TABLES["branches"], None)
    assert [(taken.tokens[i.tokens[0]].text, i.position, i.quality) for i in items] == [("March", 3, 1.0)]


@pytest.mark.parametrize(
    ("table", "question"),
    [
        # "Out", "Set" and "Mar" are months in some language; fewer than three columns of months are none.
        ("Item,Received,Out,Left\ndesk,12,9,3\nlamp,5,1,4", "How much did the desk cost in October?"),
        ("Name,Set,Pieces\ncastle,6080,1200\nfarm,6081,300", "Which castle was sold in September?"),
        ("Town,Mar (km),Roads\nArlo,12,9\nBex,5,1", "Which town was sold in March?"),
        ("Town,Set,Out\nArlo,12,9\nBex,5,1", "How much did Arlo have in October?"),
    ],
)
def test_a_month_names_no_column_that_is_called_so_by_chance(table: str, question: str) -> None:
    entries = table_entry(MemoryStore(typed_tables([raw("things", table, ",")], "things.csv")).schemas(None)[0])
    taken = parsed(question)
    last = len(taken.tokens) - 1
    assert all(last not in item.tokens for item in column_items(taken, entries, None))
