"""Number words as each language puts them together."""

from __future__ import annotations

import pytest

from polyrag_cli.text.number_words import number_words
from polyrag_cli.text.numbers import find_numbers, format_number


@pytest.mark.parametrize(
    ("code", "text", "values"),
    [
        ("de", "einundzwanzig Kunden, dreihundertfünfundzwanzig Boote", [21, 325]),
        ("de", "zweitausenddreihundert oder neunzehnhundertachtundneunzig", [2300, 1998]),
        ("de", "zwei Millionen dreihunderttausend Euro", [2_300_000]),
        ("de", "dreißig, hundert, hundertelf, tausend", [30, 100, 111, 1000]),
        ("de", "3,5 Mio Euro, 12 Prozent, 1.234,5", [3_500_000, 12, 1234.5]),
        ("de", "ein Kunde, eine Million, ein halbes Dutzend, Achtung", [1_000_000, 6]),
        ("de", "zwanzigundeins undzwanzig einundzwanziger", []),
        ("es", "treinta y uno, veintidós mil, ciento veintitrés", [31, 22_000, 123]),
        ("es", "dos millones doscientos mil; dos millones y medio", [2_200_000, 2_500_000]),
        ("es", "once clientes, una docena, 12 por ciento", [11, 12, 12]),
        ("es", "veintiuno tres", [21, 3]),
        ("pt", "quarenta e dois mil e trezentos; três e meio; doze por cento", [42_300, 3.5, 12]),
        ("pt", "os dados dos clientes, once upon a time", []),
        ("en", "two hundred and five, a dozen, once, forty-two", [205, 12, 42]),
        # Words that say something else in another language are no figures where the language isn't known.
        ("und", "once dos elf twenty vinte", [11, 20, 20]),
    ],
)
def test_number_words(code: str, text: str, values: list[float]) -> None:
    assert [number.value for number in find_numbers(text, code)] == pytest.approx(values)


def test_only_a_language_of_compounds_reads_them() -> None:
    assert number_words("de").compound("einundzwanzig") == 21
    assert number_words("de").compound("zwanzig") is None
    assert number_words("pt").compound("einundzwanzig") is None


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("de", "4.988.300,5"),
        ("es", "4.988.300,5"),
        ("pt", "4.988.300,5"),
        ("en", "4,988,300.5"),
        ("und", "4,988,300.5"),
    ],
)
def test_figures_are_written_with_the_marks_of_the_language(code: str, shown: str) -> None:
    assert format_number(4_988_300.5, code) == shown
