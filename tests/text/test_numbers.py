"""Figures in text, in cells, and as written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text.numbers import find_numbers, format_number, parse_number


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("1.234,56 e 1,234.56 e 1 234", "pt", [1234.56, 1234.56, 1234.0]),
        ("1.234 ou 1,234", "pt", [1234.0, 1.234]),
        ("1.234 or 1,234", "en", [1.234, 1234.0]),
        ("1.234 / 1,234", None, [1234.0, 1234.0]),
        ("R$ 50 mil, 3 milhões, 5k, 2.5M, 1,5 bi", "pt", [50000, 3e6, 5000, 2.5e6, 1.5e9]),
        ("2 milhões e 300 mil", "pt", [2300000]),
        ("cinquenta e dois mil; oitenta mil; mil duzentos e trinta e quatro", "pt", [52000, 80000, 1234]),
        ("twenty-four, a hundred and five, three hundred and twenty-one", "en", [24, 105, 321]),
        ("two million three hundred thousand and five", "en", [2300005]),
        ("meia dúzia, uma dúzia, two dozen, half a million", None, [6, 12, 24, 500000]),
        ("um milhão e meio; dois e meio; one and a half", None, [1.5e6, 2.5]),
        ("dois e três; five and six", None, [2, 3, 5, 6]),
        ("um cliente, uma loja, one shop, a thousand, mil", None, [1000, 1000]),
        ("KR-07, app_v2, v1.2.3, 3x4, A4", None, []),
        ("12/03/2025 e 2025-03-12", None, []),
        ("10kg em 24h, 5 m", "pt", [10, 24, 5]),
        ("-5 graus, 10-20", "pt", [-5, 10, 20]),
        ("20 mi away", "en", [20]),
        ("milhões de clientes", "pt", []),
        ("", None, []),
    ],
)
def test_finds(text: str, language: str | None, expected: list[float]) -> None:
    assert [span.value for span in find_numbers(text, language)] == expected


def test_percent_and_year_marks() -> None:
    spans = find_numbers("Em 2024 subiu 12%, cinco por cento, 2.000 e 3 percent", "pt")
    assert [(s.text, s.percent, s.year_like) for s in spans] == [
        ("2024", False, True),
        ("12%", True, False),
        ("cinco por cento", True, False),
        ("2.000", False, False),
        ("3 percent", True, False),
    ]


@given(st.text("12.,%-e mil vinteumcoR$k/ \n"))
def test_spans_are_ordered_and_point_at_their_text(text: str) -> None:
    end = 0
    for span in find_numbers(text):
        assert end <= span.start < span.end and text[span.start : span.end] == span.text
        end = span.end


@pytest.mark.parametrize(
    ("cell", "free", "comma", "point"),
    [
        ("R$ 1.234,56", 1234.56, 1234.56, None),
        ("(1,234.50)", -1234.5, None, -1234.5),
        ("12%", 12.0, 12.0, 12.0),
        ("1.234", 1.234, 1234.0, 1.234),
        ("1,234", 1234.0, 1.234, 1234.0),
        ("1.234.567", 1234567.0, 1234567.0, None),
        ("1 234,5", 1234.5, 1234.5, None),
        ("0,123", 0.123, 0.123, None),
        ("-$5", -5.0, -5.0, -5.0),
        ("$ -5", -5.0, -5.0, -5.0),
        ("\u22123", -3.0, -3.0, -3.0),
        ("1e5", 100000.0, 100000.0, 100000.0),
        ("12 kg", None, None, None),
        ("2025-03-12", None, None, None),
        ("1..2", None, None, None),
        ("-(3)", None, None, None),
        ("1e999", None, None, None),
        ("nan", None, None, None),
        ("", None, None, None),
    ],
)
def test_parses_cells(cell: str, free: float | None, comma: float | None, point: float | None) -> None:
    assert (parse_number(cell), parse_number(cell, ","), parse_number(cell, ".")) == (free, comma, point)


@given(st.text())
def test_any_cell_parses_or_is_none(cell: str) -> None:
    assert parse_number(cell) is None or isinstance(parse_number(cell), float)


@pytest.mark.parametrize(
    ("value", "portuguese", "english"),
    [
        (4988300.0, "4.988.300", "4,988,300"),
        (12.345, "12,35", "12.35"),
        (12.5, "12,5", "12.5"),
        (100.0, "100", "100"),
        (-0.0, "0", "0"),
        (0.0042, "0,0042", "0.0042"),
        (-1234.5, "-1.234,5", "-1,234.5"),
        (2.675, "2,68", "2.68"),
        (1e15, "1.000.000.000.000.000", "1,000,000,000,000,000"),
    ],
)
def test_formats(value: float, portuguese: str, english: str) -> None:
    assert (format_number(value, "pt"), format_number(value, "en")) == (portuguese, english)


def test_what_is_not_finite_has_no_figure() -> None:
    with pytest.raises(ValueError, match="no figure"):
        format_number(float("nan"), "pt")


@given(st.integers(-(10**12), 10**12))
def test_written_figures_read_back(value: int) -> None:
    assert parse_number(format_number(value / 100, "pt"), ",") == value / 100
    assert parse_number(format_number(value / 100, "en"), ".") == value / 100
