"""Questions that show what rows hold in a column."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, Right, either, figure, grouped, held, is_any, is_figure
from tests.nl2sql.generated.restrictions import Restriction, kept, restriction, restrictions, said, value_of
from tests.nl2sql.generated.tables import Column, Table


def _in_all(table: Table, name: Column, chosen: tuple[Restriction, ...]) -> Iterator[tuple[Right, str]]:
    """What a bound may mean as well of names that have several rows: that their sums are within it."""
    for each in chosen:
        column = next(c for c in table.columns if c.place == each.place)
        if each.bound is not None and column.spec.adds:
            rows = kept(table.rows, [r for r in chosen if r is not each])
            groups = grouped(rows, lambda row: row[name.place])
            yield is_any(value for value, held in groups.items() if each.bound(figure("sum", held, column)))


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which names are such; what one name has of a quantity, a kind or a date."""
    language, name = table.language, table.of("name")[0]
    if draw(st.booleans()):
        first = draw(restriction(table, draw(st.sampled_from([c for c in table.columns if c is not name and c.spec.kind != "boolean"]))))
        chosen = (first, *draw(restrictions(table, 1, (first.place, name.place))))
        start = draw(st.sampled_from({"en": ["Which {} are there", "List the {}", "Show the {}"], "pt": ["Quais {} existem", "Liste os {}"]}[language]))
        start = start.replace("os {}", "as {}") if name.label.feminine else start
        text = f"{start.format(name.label.many)}{said(chosen)}{'?' if start[0] in 'WQ' else ''}"
        return Asked(text, *either(is_any(held(kept(table.rows, chosen), name)), *_in_all(table, name, chosen)))
    value = draw(value_of(table, name))
    rows = [row for row in table.rows if row[name.place] == value]
    column = draw(st.sampled_from([c for c in table.columns if c is not name and c.spec.kind != "boolean"]))
    label = column.label
    text = {"en": f"What is the {label.one} of {value}?",
            "pt": f"Qual é {'a' if label.feminine else 'o'} {label.one} de {value}?"}[language]  # fmt: skip
    shown = is_any(held(rows, column))
    if not column.numeric:
        return Asked(text, *shown)
    total = figure("sum" if column.spec.adds else "avg", rows, column)
    return Asked(text, *either(shown, is_figure(total)))
