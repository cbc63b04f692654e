"""Questions for one figure of rows: how many, how much, the mean and the median."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, either, figure, held, is_figure
from tests.nl2sql.generated.restrictions import in_all, kept, restrictions, said
from tests.nl2sql.generated.tables import Table

_FIGURES = {
    "sum": {
        "en": ("What is the total {}{}?", "How much is the {} in total{}?"),
        "pt": ("Qual é o total de {}{}?", "Qual a soma de {}{}?"),
    },
    "avg": {
        "en": ("What is the average {}{}?", "What is the mean {}{}?"),
        "pt": ("Qual é a média de {}{}?", "Qual a média de {}{}?"),
    },
    "median": {"en": ("What is the median {}{}?",), "pt": ("Qual é a mediana de {}{}?",)},
}
_MANY = {"en": ("How many {}{}?", "What is the number of {}{}?", "How many {} are there{}?"), "pt": ("Quanto{} {}{}?",)}
_DIFFERENT = {"en": "How many different {} are there{}?", "pt": "Quant{}s {} diferentes existem{}?"}


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """A count of rows or of different values, or a function over a quantity."""
    chosen = draw(restrictions(table))
    rows, words, language = kept(table.rows, chosen), said(chosen), table.language
    kind = draw(st.sampled_from(["count", "count", "distinct", "sum", "avg", "median"]))
    if kind == "count":
        if language == "en":
            text = draw(st.sampled_from(_MANY["en"])).format(table.noun.many, words)
        else:
            text = f"Quant{table.noun.a}s {table.noun.many} existem{words}?"
        return Asked(text, *is_figure(len(rows)))
    if kind == "distinct":
        column = draw(
            st.sampled_from(
                [c for c in table.of("name", "category") if c.place not in {r.place for r in chosen}]
                or table.of("name")
            )
        )
        label = column.label
        text = (
            f"How many different {label.many} are there{words}?"
            if language == "en"
            else f"Quant{label.a}s {label.many} diferentes existem{words}?"
        )
        counted = in_all(table, column, chosen, lambda values: is_figure(len(list(values))))
        return Asked(text, *either(is_figure(len(set(held(rows, column)))), *counted))
    columns = [c for c in table.quantities if c.spec.adds or kind != "sum"]
    if not columns:
        return UNASKED
    column = draw(st.sampled_from(columns))
    text = draw(st.sampled_from(_FIGURES[kind][language])).format(column.label.one, words)
    return Asked(text, *is_figure(figure(kind, rows, column)))
