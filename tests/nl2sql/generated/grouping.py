"""Questions for one figure of each value, or of each month or year."""

from __future__ import annotations

import datetime

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, are_pairs, either, figure, grouped, is_any, is_figure
from tests.nl2sql.generated.restrictions import kept, restrictions, said
from tests.nl2sql.generated.tables import Column, Row, Table

_HOW = {
    "en": {"sum": "total {}", "avg": "average {}", "median": "median {}", "max": "highest {}", "min": "lowest {}"},
    "pt": {"sum": "total de {}", "avg": "média de {}", "median": "mediana de {}", "max": "maior {}", "min": "menor {}"},
}
_WHAT = {"en": "What is the {} {} {}{}?", "pt": "Qual é o {} {} {}{}?"}


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """A figure by a column or by a part of the date; or the values of which there are more than so many rows."""
    language = table.language
    dates = table.of("date")
    if dates and draw(st.integers(0, 2)) == 0:
        part = draw(st.sampled_from(["month", "year"]))
        noun = {"en": part, "pt": {"month": "mês", "year": "ano"}[part]}[language]
        place = dates[0].place
        groups = grouped(table.rows, lambda row: _part(row[place], part))
        return _figures(draw, table, noun, groups, "", None)
    key = draw(st.sampled_from(table.of("name", "category")))
    if draw(st.integers(0, 3)) == 0:
        least = draw(st.integers(1, 3))
        groups = grouped(table.rows, lambda row: row[key.place])
        text = {
            "en": f"Which {key.label.many} have more than {least} {table.noun.many}?",
            "pt": f"Quais {key.label.many} têm mais de {least} {table.noun.many}?",
        }[language]
        return Asked(text, *is_any(value for value, rows in groups.items() if len(rows) > least))
    chosen = draw(restrictions(table, 1, (key.place,)))
    groups = grouped(kept(table.rows, chosen), lambda row: row[key.place])
    return _figures(draw, table, key.label.one, groups, said(chosen), key)


def _figures(
    draw: st.DrawFn, table: Table, noun: str, groups: dict[object, list[Row]], words: str, key: Column | None
) -> Asked:
    language = table.language
    per = draw(st.sampled_from({"en": ["by", "per", "for each"], "pt": ["por", "para cada"]}[language]))
    if draw(st.integers(0, 2)) == 0:
        many = f"Quant{table.noun.a}s"
        text = {
            "en": f"How many {table.noun.many} {per} {noun}{words}?",
            "pt": f"{many} {table.noun.many} {per} {noun}{words}?",
        }[language]
        return Asked(text, *are_pairs({value: len(rows) for value, rows in groups.items()}))
    function = draw(st.sampled_from(sorted(_HOW["en"])))
    columns = [c for c in table.quantities if c.spec.adds or function != "sum"] or table.quantities
    column = draw(st.sampled_from(columns))
    function = function if column.spec.adds or function != "sum" else "avg"
    text = _WHAT[language].format(_HOW[language][function].format(column.label.one), per, noun, words)
    found = are_pairs({value: figure(function, rows, column) for value, rows in groups.items()})
    if function == "avg" and key is not None and _each_once(table, key):
        # "The average cost per seller", where each seller is a row, may be one figure.
        return Asked(
            text, *either(found, is_figure(figure("avg", [r for rows in groups.values() for r in rows], column)))
        )
    return Asked(text, *found)


def _each_once(table: Table, key: Column) -> bool:
    values = [row[key.place] for row in table.rows]
    return len(set(values)) == len(values)


def _part(value: object, part: str) -> str | int | None:
    if not isinstance(value, datetime.date):
        return None
    return value.year if part == "year" else f"{value:%Y-%m}"
