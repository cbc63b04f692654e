"""Questions for one of two opposite words."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_any
from tests.nl2sql.generated.restrictions import value_of
from tests.nl2sql.generated.tables import Table

_WORDS = {"en": (("higher", "lower"), ("lower", "higher")), "pt": (("maior", "menor"), ("acima", "abaixo"))}


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Whether the figure of one value is higher or lower than that of another."""
    key = draw(st.sampled_from(table.of("name", "category")))
    first, second = draw(value_of(table, key)), draw(value_of(table, key))
    column = draw(st.sampled_from(table.quantities))
    function = "sum" if column.spec.adds else "avg"
    figures = [figure(function, [r for r in table.rows if r[key.place] == v], column) for v in (first, second)]
    if first == second or figures[0] is None or figures[1] is None or figures[0] == figures[1]:
        return UNASKED
    language = table.language
    one, other = draw(st.sampled_from(_WORDS[language]))
    what = {"en": {"sum": "total ", "avg": "average "}, "pt": {"sum": "total de ", "avg": "média de "}}[language][
        function
    ] + column.label.one
    text = {
        "en": f"Is the {what} of {first} {one} or {other} than that of {second}?",
        "pt": f"O {what} de {first} é {one} ou {other} que o de {second}?"
        if one == "maior"
        else f"O {what} de {first} está {one} ou {other} de {second}?",
    }[language]
    larger = {"lower": other, "higher": one, "maior": one, "acima": one}[one]
    smaller = other if larger == one else one
    return Asked(text, *is_any([larger if figures[0] > figures[1] else smaller]))
