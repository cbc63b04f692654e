"""Questions that set two columns of the same kind against each other."""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_any
from tests.nl2sql.generated.restrictions import restriction
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which of two quantities is more in total, of all rows or of some."""
    alike = [
        pair
        for pair in combinations([c for c in table.quantities if c.spec.adds], 2)
        if pair[0].spec.kind == pair[1].spec.kind
    ]
    if not alike:
        return UNASKED
    first, second = draw(st.permutations(draw(st.sampled_from(alike))))
    named = draw(st.sampled_from(table.of("name", "category")))
    only = draw(restriction(table, named)) if draw(st.booleans()) else None
    rows = [row for row in table.rows if only is None or only.holds(row)]
    a, b = figure("sum", rows, first), figure("sum", rows, second)
    if a is None or b is None or a == b:
        return UNASKED
    words = f" {only.words}" if only else ""
    text = {
        "en": f"Which is higher in total{words}, {first.label.one} or {second.label.one}?",
        "pt": f"O que é maior no total{words}, {first.label.one} ou {second.label.one}?",
    }[table.language]
    return Asked(text, *is_any([(first if a > b else second).label.one]))
