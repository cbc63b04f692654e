"""Questions for the change between two columns that hold a quantity of two years."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_figure
from tests.nl2sql.generated.tables import Column, Table

_YEARS = (2014, 2015)


def shaped(table: Table) -> Table:
    """The table with a column for each of two years in place of its first quantity that adds up, and without dates."""
    wide = next((c for c in table.quantities if c.spec.adds), None)
    kept = [c for c in table.columns if c.spec.kind != "date" and c is not wide]
    if wide is None:
        return table
    pair = [Column(wide.spec, replace(wide.label, header=f"{year} {wide.label.header}"), 0) for year in _YEARS]
    values = [[row[wide.place] for row in table.rows], [row[wide.place] for row in table.rows[::-1]]]
    columns = tuple(replace(c, place=place) for place, c in enumerate([*kept, *pair]))
    rows = tuple((*(row[c.place] for c in kept), *(each[n] for each in values)) for n, row in enumerate(table.rows))
    return replace(table, columns=columns, rows=rows)


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """By how much a quantity grew or changed from one year's column to the other's, of all rows or of one kind."""
    pair = [c for c in table.columns if c.label.header[:4].isdigit()]
    kinds = table.of("category")
    if len(pair) != 2 or not kinds:
        return UNASKED
    kind = draw(st.sampled_from([None, *sorted({str(v) for r in table.rows if (v := r[kinds[0].place]) is not None})]))
    rows = [row for row in table.rows if kind is None or row[kinds[0].place] == kind]
    first, last = (figure("sum", rows, column) for column in pair)
    if first is None or last is None:
        return UNASKED
    label = pair[0].label
    grows, changes = {"en": ("grow", "change"), "pt": ("cresceu", "mudou")}[table.language]
    # What became less didn't grow.
    verb = draw(st.sampled_from([grows, changes] if last >= first else [changes]))
    of = {"en": f" in {kind}", "pt": f" em {kind}"}[table.language] if kind else ""
    text = {
        "en": f"By how much did the {label.one} {verb} from 2014 to 2015{of}?",
        "pt": f"Quanto {verb} {label.a} {label.one} de 2014 para 2015{of}?",
    }[table.language]
    return Asked(text, *is_figure(last - first))
