"""Questions that set two values of a column against each other."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, figure, is_any, is_figure
from tests.nl2sql.generated.restrictions import value_of
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Which of two has more, whether one has more, by how much."""
    key = draw(st.sampled_from(table.of("name", "category")))
    first, second = draw(value_of(table, key)), draw(value_of(table, key))
    language = table.language
    counted = draw(st.integers(0, 2)) == 0
    column = draw(st.sampled_from(table.quantities))
    parts = [[r for r in table.rows if r[key.place] == value] for value in (first, second)]
    if counted:
        a, b = (len(part) for part in parts)
    else:
        function = "sum" if column.spec.adds else "avg"
        figures = [figure(function, part, column) for part in parts]
        if figures[0] is None or figures[1] is None:
            return UNASKED
        a, b = figures
    if first == second:
        return UNASKED
    total = ({"en": "total ", "pt": "total de "} if column.spec.adds else {"en": "average ", "pt": "média de "})[
        language
    ]
    noun, label = table.noun.many, f"{total}{column.label.one}"
    kind = draw(st.sampled_from(["which", "whether", "difference", "more"]))
    if kind == "which":
        if a == b:
            return UNASKED
        text = {
            "en": f"Which has more {noun}, {first} or {second}?"
            if counted
            else f"Which has the higher {label}, {first} or {second}?",
            "pt": f"Quem tem mais {noun}, {first} ou {second}?"
            if counted
            else f"Quem tem maior {label}, {first} ou {second}?",
        }[language]
        return Asked(text, *is_any([first if a > b else second]))
    if kind == "whether":
        text = {
            "en": f"Does {first} have more {noun} than {second}?"
            if counted
            else f"Does {first} have a higher {label} than {second}?",
            "pt": f"{first} tem mais {noun} do que {second}?"
            if counted
            else f"{first} tem {label} maior do que {second}?",
        }[language]
        return Asked(text, *is_figure(a > b))
    if kind == "difference":
        what = {"en": f"number of {noun}", "pt": f"número de {noun}"}[language] if counted else label
        text = {
            "en": f"What is the difference in {what} between {first} and {second}?",
            "pt": f"Qual é a diferença de {what} entre {first} e {second}?",
        }[language]
        return Asked(text, *is_figure(abs(a - b)))
    if not counted:
        text = {
            "en": f"How much more {label} does {first} have than {second}?",
            "pt": f"Quanto {first} tem de {label} a mais do que {second}?",
        }[language]
    else:
        many = f"Quant{table.noun.a}s"
        text = {
            "en": f"How many more {noun} does {first} have than {second}?",
            "pt": f"{many} {noun} {first} tem a mais do que {second}?",
        }[language]
    return Asked(text, *is_figure(a - b))
