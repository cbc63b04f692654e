"""Months, weekdays and marks of figures are those of the Unicode Common Locale Data Repository."""

from __future__ import annotations

import pytest
from babel import Locale

from polyrag_cli.languages import all_languages
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold

EACH = [pytest.param(known, Locale(known.code), id=known.code) for known in all_languages()]


def word(name: str) -> str:
    return fold(name).strip(".")


@pytest.mark.parametrize(("known", "locale"), EACH)
@pytest.mark.parametrize("width", ["wide", "abbreviated"])
def test_months_and_weekdays(known: Language, locale: Locale, width: str) -> None:
    months, days = locale.months["format"][width], locale.days["format"][width]
    assert [names for n, names in enumerate(known.dates.months, 1) if word(months[n]) not in names] == []
    # Where one abbreviation serves both, it is the month's: "mar".
    every_month = frozenset().union(*known.dates.months)
    lacking = [word(days[n]) for n, names in enumerate(known.dates.weekdays) if word(days[n]) not in names]
    assert [name for name in lacking if name not in every_month] == []


@pytest.mark.parametrize(("known", "locale"), EACH)
def test_marks_and_the_order_of_dates(known: Language, locale: Locale) -> None:
    symbols = locale.number_symbols.get("latn", locale.number_symbols)
    assert (known.writing.decimal, known.writing.thousands) == (symbols["decimal"], symbols["group"])
    short = locale.date_formats["short"].pattern
    assert known.dates.month_first == (short.index("M") < short.index("d"))
