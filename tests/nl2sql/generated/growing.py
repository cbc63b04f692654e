"""Questions for the change from one year, or one value, to another."""

from __future__ import annotations

import datetime

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_figure
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """By how much a quantity grew, fell or changed between two years."""
    dates = table.of("date")
    columns = [c for c in table.quantities if c.spec.adds]
    years = sorted({y for row in table.rows if dates and (y := _year(row[dates[0].place]))})
    if len(years) < 2 or not columns:
        return UNASKED
    column = draw(st.sampled_from(columns))
    first, last = years[0], years[-1]
    figures = [
        figure("sum", [r for r in table.rows if _year(r[dates[0].place]) == year], column) for year in (first, last)
    ]
    if figures[0] is None or figures[1] is None:
        return UNASKED
    label, verb = (
        column.label.one,
        draw(st.sampled_from({"en": ["grow", "change"], "pt": ["cresceu", "mudou", "aumentou"]}[table.language])),
    )
    joined = draw(
        st.sampled_from(
            {"en": ["from {} to {}", "between {} and {}"], "pt": ["de {} para {}", "entre {} e {}"]}[table.language]
        )
    )
    text = {
        "en": f"By how much did the {label} {verb} {joined.format(first, last)}?",
        "pt": f"Quanto {verb} {column.label.a} {label} {joined.format(first, last)}?",
    }[table.language]
    return Asked(text, *is_figure(figures[1] - figures[0]))


def _year(value: object) -> int | None:
    return value.year if isinstance(value, datetime.date) else None
