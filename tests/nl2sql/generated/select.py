"""Questions that show what rows hold in a column."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, either, figure, held, is_any, is_figure
from tests.nl2sql.generated.restrictions import in_all, kept, restriction, restrictions, said, value_of
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which names are such; what one name has of a quantity, a kind or a date."""
    language, name = table.language, table.of("name")[0]
    if draw(st.booleans()):
        first = draw(
            restriction(
                table, draw(st.sampled_from([c for c in table.columns if c is not name and c.spec.kind != "boolean"]))
            )
        )
        chosen = (first, *draw(restrictions(table, 1, (first.place, name.place))))
        start = draw(
            st.sampled_from(
                {"en": ["Which {} are there", "List the {}", "Show the {}"], "pt": ["Quais {} existem", "Liste os {}"]}[
                    language
                ]
            )
        )
        start = start.replace("os {}", "as {}") if name.label.feminine else start
        text = f"{start.format(name.label.many)}{said(chosen)}{'?' if start[0] in 'WQ' else ''}"
        return Asked(text, *either(is_any(held(kept(table.rows, chosen), name)), *in_all(table, name, chosen, is_any)))
    value = draw(value_of(table, name))
    rows = [row for row in table.rows if row[name.place] == value]
    column = draw(st.sampled_from([c for c in table.columns if c is not name and c.spec.kind != "boolean"]))
    label = column.label
    text = {"en": f"What is the {label.one} of {value}?", "pt": f"Qual é {label.a} {label.one} de {value}?"}[language]
    shown = is_any(held(rows, column))
    if not column.numeric:
        return Asked(text, *shown)
    total = figure("sum" if column.spec.adds else "avg", rows, column)
    return Asked(text, *either(shown, is_figure(total)))
