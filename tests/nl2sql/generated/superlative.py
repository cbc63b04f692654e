"""Questions for the most, the least, the nth and the first few."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from hypothesis import strategies as st

from tests.nl2sql.generated.columns import Value
from tests.nl2sql.generated.reference import UNASKED, Asked, either, figure, grouped, is_any
from tests.nl2sql.generated.restrictions import kept, restrictions, said
from tests.nl2sql.generated.tables import Table

_ENDS = {
    "en": {True: ("highest", "largest"), False: ("lowest", "smallest")},
    "pt": {True: ("maior",), False: ("menor",)},
}


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which name has the most of something, in a row, in all or on average; which came last; how much the most is."""
    language, down = table.language, draw(st.booleans())
    key = draw(st.sampled_from(table.of("name", "category")))
    chosen = draw(restrictions(table, 1, (key.place,)))
    rows, words = kept(table.rows, chosen), said(chosen)
    groups = grouped(rows, lambda row: row[key.place])
    end = draw(st.sampled_from(_ENDS[language][down]))
    kind = draw(st.sampled_from(["row", "total", "average", "count", "value", "nth", "time"]))
    column = draw(st.sampled_from(table.quantities))
    label, noun = column.label.one, key.label
    if kind == "time":
        return _latest(draw, table, down)
    if kind == "count":
        most = {"en": "most" if down else "fewest", "pt": "mais" if down else "menos"}[language]
        text = {
            "en": f"Which {noun.one} has the {most} {table.noun.many}{words}?",
            "pt": f"Qual {noun.one} tem {most} {table.noun.many}{words}?",
        }[language]
        return Asked(text, *is_any(_ends({k: len(g) for k, g in groups.items()}, down)))
    if kind == "value":
        value = figure("max" if down else "min", rows, column)
        text = {
            "en": f"What is the {end} {label}{words}?",
            "pt": f"Qual é {column.label.a} {end} {label}{words}?",
        }[language]
        return Asked(text, lambda found: bool(found.rows) and all(row[-1] == value for row in found.rows), str(value))
    if kind in ("total", "average"):
        function = "sum" if kind == "total" and column.spec.adds else "avg"
        how = {"en": {"sum": "total", "avg": "average"}, "pt": {"sum": "total de", "avg": "média de"}}[language][
            function
        ]
        figures = {k: figure(function, g, column) for k, g in groups.items()}
        text = {
            "en": f"Which {noun.one} has the {end} {how} {label}{words}?",
            "pt": f"Qual {noun.one} tem {end} {how} {label}{words}?",
        }[language]
        return Asked(text, *is_any(_ends(figures, down)))
    tops = {k: figure("max" if down else "min", g, column) for k, g in groups.items()}
    sums = {k: figure("sum", g, column) for k, g in groups.items()}
    nth = draw(st.integers(2, 3)) if kind == "nth" else 1
    if nth > 1:
        place = {"en": {2: "second", 3: "third"}, "pt": {2: "segundo", 3: "terceiro"}}[language][nth]
        text = {
            "en": f"Which {noun.one} has the {place} {end} {label}{words}?",
            "pt": f"Qual {noun.one} tem o {place} {end} {label}{words}?",
        }[language]
        values = sorted({row[column.place] for row in rows if row[column.place] is not None}, reverse=down, key=float)
        held = {row[key.place] for row in rows if len(values) >= nth and row[column.place] == values[nth - 1]} - {None}
        return Asked(text, *either(is_any(held), is_any(_ends(sums, down, nth)) if column.spec.adds else is_any(held)))
    text = {
        "en": f"Which {noun.one} has the {end} {label}{words}?",
        "pt": f"Qual {noun.one} tem {column.label.a} {end} {label}{words}?",
    }[language]
    # Of what repeats, the largest amount may be one row's or that of all.
    found = is_any(_ends(tops, down))
    return Asked(text, *(either(found, is_any(_ends(sums, down))) if column.spec.adds else found))


def _latest(draw: st.DrawFn, table: Table, down: bool) -> Asked:
    dates, name, language = table.of("date"), table.of("name")[0], table.language
    days = [
        d
        for row in table.rows
        if dates and row[name.place] is not None and isinstance(d := row[dates[0].place], datetime.date)
    ]
    if not days:
        return UNASKED
    end = max(days) if down else min(days)
    text = {
        "en": f"Which {name.label.one} has the {'latest' if down else 'earliest'} date?",
        "pt": f"Qual {name.label.one} tem a data mais {'recente' if down else 'antiga'}?",
    }[language]
    return Asked(text, *is_any({row[name.place] for row in table.rows if row[dates[0].place] == end} - {None}))


def _ends(figures: Mapping[Value, float | None], down: bool, nth: int = 1) -> list[Value]:
    values = sorted({v for v in figures.values() if v is not None}, reverse=down)
    return [k for k, v in figures.items() if len(values) >= nth and v == values[nth - 1]]
