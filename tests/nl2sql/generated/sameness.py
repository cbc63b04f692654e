"""Questions for the rows that share a value with one that is named."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, is_any
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which other names have the same category, city and the like as one that stands in one row."""
    name = table.of("name")[0]
    shared = draw(st.sampled_from([c for c in table.of("name", "category") if c is not name]))
    row = draw(st.sampled_from(table.rows))
    value, same = row[name.place], row[shared.place]
    if value is None or same is None or sum(r[name.place] == value for r in table.rows) > 1:
        return UNASKED
    others = {r[name.place] for r in table.rows if r[shared.place] == same} - {value, None}
    label = shared.label
    text = {
        "en": f"Which other {name.label.many} have the same {label.one} as {value}?",
        "pt": f"Quais outr{name.label.a}s {name.label.many} têm {label.a} mesm{label.a} {label.one} que {value}?",
    }[table.language]
    return Asked(text, *is_any(others))
