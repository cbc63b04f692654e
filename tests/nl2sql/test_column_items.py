from __future__ import annotations

from polyrag_cli.nl2sql.column_items import column_items
from tests.nl2sql.operators.staff import entry, parsed

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
