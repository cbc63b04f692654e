"""Questions for the years between two rows."""

from __future__ import annotations

import datetime

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, is_figure
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """How many years lie between two names that stand in one row each."""
    name, dates = table.of("name")[0], table.of("date")
    once = [
        r
        for r in table.rows
        if r[name.place] is not None and sum(r[name.place] == o[name.place] for o in table.rows) == 1
    ]
    if not dates or len(once) < 2:
        return UNASKED
    first, second = draw(st.lists(st.sampled_from(once), min_size=2, max_size=2, unique=True))
    days = [row[dates[0].place] for row in (first, second)]
    if not all(isinstance(d, datetime.date) for d in days):
        return UNASKED
    years = sorted(d.year for d in days if isinstance(d, datetime.date))
    text = {
        "en": f"How many years are there between {first[name.place]} and {second[name.place]}?",
        "pt": f"Quantos anos há entre {first[name.place]} e {second[name.place]}?",
    }[table.language]
    return Asked(text, *is_figure(years[1] - years[0]))
