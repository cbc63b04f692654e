"""Questions for the longest run of rows that follow one another."""

from __future__ import annotations

from itertools import groupby

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, is_figure
from tests.nl2sql.generated.restrictions import restriction
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """How many rows of a kind follow one another at most."""
    column = draw(st.sampled_from([*table.of("name", "category"), *table.quantities]))
    only = draw(restriction(table, column))
    runs = [len(list(run)) for holds, run in groupby(table.rows, only.holds) if holds]
    many = f"consecutiv{table.noun.a}s"
    text = {
        "en": f"How many consecutive {table.noun.many} are there {only.words}?",
        "pt": f"Quant{table.noun.a}s {table.noun.many} {many} existem {only.words}?",
    }[table.language]
    return Asked(text, *is_figure(max(runs, default=0)))
