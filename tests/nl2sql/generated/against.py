"""Questions for rows beyond a mean, or beyond what one value has."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_any, is_figure
from tests.nl2sql.generated.restrictions import value_of
from tests.nl2sql.generated.tables import Row, Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """How many rows, or which names, lie above or below."""
    column = draw(st.sampled_from(table.quantities))
    name, language = table.of("name")[0], table.language
    above = draw(st.booleans())
    middle = draw(st.sampled_from(["avg", "median", "value"]))
    label = column.label.one
    mean = {"avg": {"en": "the average", "pt": "da média"}, "median": {"en": "the median", "pt": "da mediana"}}
    if middle == "value":
        value = draw(value_of(table, name))
        rows = [r for r in table.rows if r[name.place] == value]
        bound = figure("max", rows, column)
        one = {
            "en": f"Which {name.label.many} have a {'higher' if above else 'lower'} {label} than {value}?",
            "pt": f"Quais {name.label.many} têm {label} {'maior' if above else 'menor'} que {value}?",
        }[language]
        if bound is None or len(rows) > 1:
            return UNASKED
        return Asked(
            one,
            *is_any(
                r[name.place]
                for r in table.rows
                if _beyond(r, column.place, bound, above) and r[name.place] is not None
            ),
        )
    bound = figure(middle, table.rows, column)
    if bound is None:
        return UNASKED
    found = [r for r in table.rows if _beyond(r, column.place, bound, above)]
    way = {"en": "above" if above else "below", "pt": "acima" if above else "abaixo"}[language]
    if draw(st.booleans()):
        noun = table.noun
        text = {
            "en": f"How many {noun.many} have a {label} {way} {mean[middle]['en']}?",
            "pt": f"Quant{noun.a}s {noun.many} têm {label} {way} {mean[middle]['pt']}?",
        }[language]
        return Asked(text, *is_figure(len(found)))
    text = {
        "en": f"Which {name.label.many} have a {label} {way} {mean[middle]['en']}?",
        "pt": f"Quais {name.label.many} têm {label} {way} {mean[middle]['pt']}?",
    }[language]
    return Asked(text, *is_any(r[name.place] for r in found if r[name.place] is not None))


def _beyond(row: Row, place: int, bound: float, above: bool) -> bool:
    value = row[place]
    return isinstance(value, (int, float)) and (value > bound if above else value < bound)
