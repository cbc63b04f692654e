from __future__ import annotations

from polyrag_cli.loaders.workbook.blocks import blocks


def rows(*lines: str) -> list[list[str]]:
    split = [[cell.strip() for cell in line.split("|")] for line in lines]
    width = max(map(len, split))
    return [row + [""] * (width - len(row)) for row in split]


def found(*lines: str) -> list[tuple[int, int, int, int]]:
    """Top, left, height and width of each block."""
    return [(b.top, b.left, len(b.rows), len(b.rows[0])) for b in blocks(rows(*lines))]


def test_tables_beside_each_other_are_parted() -> None:
    assert found(
        "Fruit | Kg || Animal | Legs",
        "Apple | 5  || Cow    | 4   ",
        "Pear  | 8  || Hen    | 2   ",
    ) == [(0, 0, 3, 2), (0, 3, 3, 2)]


def test_tables_of_other_heights_and_with_equal_headers_are_parted() -> None:
    assert found(
        "Month | Sales |  | Month | Cost",
        "1     | 5     |  | 1     | 4   ",
        "2     | 8     |  | 2     | 2   ",
    ) == [(0, 0, 3, 2), (0, 3, 3, 2)]
    assert found(
        "     |       |  | Year | Cost",
        "Code | Sales |  | 2023 | 4   ",
        "7    | 5     |  | 2024 | 2   ",
        "9    | 8     |  |      |     ",
    ) == [(1, 0, 3, 2), (0, 3, 3, 2)]


def test_an_empty_column_inside_a_table_parts_nothing() -> None:
    lines = ("Town | Code | | 2023 | 2024", "Faro | 7 | | 5 | 6", "Beja | 9 | | 8 | 7")
    assert found(*lines) == [(0, 0, 3, 5)]
    assert found("Town | | Sales | Cost", "Faro | | 5 | 4", "Beja | | 8 | 2") == [(0, 0, 3, 4)]


def test_a_title_over_both_tables_parts_nothing_itself() -> None:
    assert found(
        "Farm  | Farm | Farm | Farm   | Farm",
        "Fruit | Kg   |      | Animal | Legs",
        "Apple | 5    |      | Cow    | 4   ",
        "Pear  | 8    |      | Hen    | 2   ",
    ) == [(0, 0, 4, 2), (0, 3, 4, 2)]


def test_tables_cornerwise_are_parted() -> None:
    assert found(
        "Fruit | Kg |        |     ",
        "Apple | 5  |        |     ",
        "Pear  | 8  |        |     ",
        "      |    | Animal | Legs",
        "      |    | Cow    | 4   ",
        "      |    | Hen    | 2   ",
    ) == [(0, 0, 3, 2), (3, 2, 3, 2)]


def test_only_the_rows_with_two_tables_are_parted() -> None:
    assert found(
        "Town | Code | People | Area",
        "Faro | 7    | 5      | 6   ",
        "Beja | 9    | 8      | 7   ",
        "     |      |        |     ",
        "Fruit| Kg   |        | Animal | Legs",
        "Apple| 5    |        | Cow    | 4   ",
        "Pear | 8    |        | Hen    | 2   ",
    ) == [(0, 0, 3, 4), (4, 0, 3, 2), (4, 3, 3, 2)]


def test_stacked_tables_stay_together() -> None:
    assert found("Fruit | Kg", "Apple | 5", "|", "Animal | Legs", "Cow | 4") == [(0, 0, 5, 2)]


def test_nothing() -> None:
    assert found("|", "|") == []
