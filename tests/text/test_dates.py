"""Dates in text and in cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text.dates import find_dates, months, parse_date


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("em 12/03/2025 e 2025-03-12", "pt", ["2025-03-12", "2025-03-12"]),
        ("on 03/12/2025", "en", ["2025-03-12"]),
        ("on 25/12/2025", "en", ["2025-12-25"]),
        ("12 de março de 2025, 1º de maio de 1999", "pt", ["2025-03-12", "1999-05-01"]),
        ("March 12, 2025; 5th of May 2001; 3 Jan. 2020", "en", ["2025-03-12", "2001-05-05", "2020-01-03"]),
        ("março de 2025, mar/25, 03/2024, 2023-05", "pt", ["2025-03", "2025-03", "2024-03", "2023-05"]),
        ("de 2020 a 2022, 2023-2024.", "pt", ["2020", "2022", "2023", "2024"]),
        ("el 3 de marzo de 2024, marzo del 2023, enero 2020", "es", ["2024-03-03", "2023-03", "2020-01"]),
        ("am 3. Oktober 2024, März 2023, 3.10.2024", "de", ["2024-10-03", "2023-03", "2024-10-03"]),
        ("R$ 2000, 2.025, 2025%, PC-2025, março, 31/02/2025", "pt", []),
    ],
)
def test_finds(text: str, language: str, expected: list[str]) -> None:
    spans = find_dates(text, language)
    assert [span.iso for span in spans] == expected
    assert [span.precision for span in spans] == [{4: "year", 7: "month", 10: "day"}[len(iso)] for iso in expected]


def test_span_covers_the_date() -> None:
    text = "pago em 12 de março de 2025, à vista"
    (span,) = find_dates(text)
    assert text[span.start : span.end] == "12 de março de 2025"


@given(st.text("0123456789/-. demarçoJan,ºth"))
def test_spans_do_not_overlap(text: str) -> None:
    end = 0
    for span in find_dates(text):
        assert end <= span.start < span.end
        end = span.end


@pytest.mark.parametrize(
    ("cell", "dayfirst", "expected"),
    [
        ("03/12/2025", True, "2025-12-03"),
        ("03/12/2025", False, "2025-03-12"),
        ("12/31/2025", True, None),
        ("2025-03-12 10:00:00", True, "2025-03-12"),
        ("2025-03-12T10:00:00Z", True, "2025-03-12"),
        ("12-mar-2025", True, "2025-03-12"),
        ("12.03.25", True, "2025-03-12"),
        ("2024-02-30", True, None),
        ("2025", True, None),
        ("mar/2025", True, None),
        ("1.234", True, None),
        ("", True, None),
    ],
)
def test_parses_cells(cell: str, dayfirst: bool, expected: str | None) -> None:
    assert parse_date(cell, dayfirst) == expected


def test_months_of_both_languages() -> None:
    assert {months()[name] for name in ("fevereiro", "fev", "february", "feb")} == {2}
    assert set(months().values()) == set(range(1, 13))
