from __future__ import annotations

import pytest

from polyrag_cli.loaders.values import NumberText
from polyrag_cli.loaders.workbook.formats import NumberFormat, formatted, number_format


@pytest.mark.parametrize(
    ("code", "text", "shown"),
    [
        ("0%", "0.125", "12.5%"),
        ("0.00%", "0.1", "10.00%"),
        ("0.0%", "0.07", "7.0%"),
        ('0"%"', "12", "12%"),
        ('"R$" #,##0.00', "1234.5", "R$ 1234.50"),
        ("[$R$-416] #,##0.00", "-1.234", "-R$ 1.234"),
        ("#,##0.00\\ [$€-407]", "3", "€ 3.00"),
        ("[$-409]#,##0.00", "3", "3.00"),
        ("[$zł-415] 0.00", "3", "3.00 zł"),
        ('_("$"* #,##0.00_);_("$"* (#,##0.00)', "5", "$ 5.00"),
        ("$#,##0", "1500000", "$ 1500000"),
        ("$#,##0.0,,", "1500000", "1500000"),
        ("0.00E+00", "1500000", "1500000"),
        ("# ?/?", "0.5", "0.5"),
        ("General", "0.5", "0.5"),
        ("0.00;[Red]-0.00%", "0.5", "0.50"),
        ("0.##%", "0.5", "50%"),
        ("C$0", "5", "5"),
    ],
)
def test_a_figure_is_shown_with_its_unit_and_all_of_its_digits(code: str, text: str, shown: str) -> None:
    assert formatted(NumberText(text), number_format(code)) == shown


def test_what_is_no_figure_stays_as_it_is() -> None:
    assert formatted("0.5", NumberFormat(percent=True)) == "0.5"
    assert formatted(NumberText("n/a"), NumberFormat(percent=True)) == "n/a"


def test_a_formatted_figure_is_still_a_number_of_the_file() -> None:
    assert isinstance(formatted(NumberText("0.5"), NumberFormat(percent=True)), NumberText)
