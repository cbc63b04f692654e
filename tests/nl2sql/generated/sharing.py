"""Questions for what per cent of all a part is."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_figure
from tests.nl2sql.generated.restrictions import kept, restriction
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """The share of rows, or of a quantity, that one restriction leaves."""
    only = draw(restriction(table, draw(st.sampled_from([c for c in table.columns if c.spec.kind != "boolean"]))))
    rows, language = kept(table.rows, [only]), table.language
    start = draw(
        st.sampled_from(
            {"en": ["What percentage of", "What share of"], "pt": ["Que percentual", "Qual a porcentagem"]}[language]
        )
    )
    columns = [c for c in table.quantities if c.spec.adds and not c.spec.negative and c.place != only.place]
    if not columns or draw(st.booleans()):
        noun = table.noun
        text = {
            "en": f"{start} the {noun.many} are {only.words}?",
            "pt": f"{start} d{noun.a}s {noun.many} são {only.words}?",
        }[language]
        return Asked(text, *is_figure(100 * len(rows) / len(table.rows)))
    column = draw(st.sampled_from(columns))
    part, whole = figure("sum", rows, column), figure("sum", table.rows, column)
    text = {
        "en": f"{start} the {column.label.one} comes from {table.noun.many} {only.words}?",
        "pt": f"{start} d{column.label.a} {column.label.one} vem de {table.noun.many} {only.words}?",
    }[language]
    if part is None or not whole:
        return UNASKED
    return Asked(text, *is_figure(100 * part / whole))
