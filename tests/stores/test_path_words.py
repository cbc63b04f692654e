from __future__ import annotations

from polyrag_cli.stores.path_words import path_words


def words(*tables: tuple[str, str]) -> dict[str, tuple[str, ...]]:
    found = path_words([(document, 0, name) for document, name in tables])
    return {document: found[document, 0] for document, _ in tables}


def test_folders_tell_equal_names_apart() -> None:
    assert words(("Café/2024/sales.csv", "sales"), ("Café/2025/sales.csv", "sales")) == {
        "Café/2024/sales.csv": ("2024",),
        "Café/2025/sales.csv": ("2025",),
    }


def test_file_names_tell_equal_sheets_apart() -> None:
    assert words(("Norte_2025.xlsx", "vendas"), ("São Paulo.xlsx", "vendas")) == {
        "Norte_2025.xlsx": ("norte", "2025"),
        "São Paulo.xlsx": ("sao", "paulo"),
    }


def test_a_table_alone_keeps_all_words_but_its_own() -> None:
    assert words(("shop/sales 2025.csv", "sales_2025")) == {"shop/sales 2025.csv": ("shop",)}


def test_two_tables_of_one_file_keep_its_words() -> None:
    found = path_words([("2025/a.xlsx", 0, "sales"), ("2025/a.xlsx", 1, "sales")])
    assert found == {("2025/a.xlsx", 0): ("2025", "a"), ("2025/a.xlsx", 1): ("2025", "a")}


def test_order_does_not_matter() -> None:
    tables = [("1/a.csv", 0, "a"), ("2/a.csv", 0, "A"), ("2/b.csv", 0, "b")]
    assert path_words(tables) == path_words(tables[::-1])


def test_what_names_a_sheet_says_nothing_of_another() -> None:
    found = path_words([("2025/boats_and_outings.xlsx", 0, "boats"), ("2025/boats_and_outings.xlsx", 1, "outings")])
    assert set(found.values()) == {("2025", "and")}
