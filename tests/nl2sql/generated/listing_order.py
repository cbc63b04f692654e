"""Questions for the row that is listed first, last, before or after another."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, is_any, is_figure
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """The name that stands first or last on the list, or right before or after one that stands there once."""
    name = table.of("name")[0]
    label, language = name.label.one, table.language
    names = [row[name.place] for row in table.rows]
    if draw(st.booleans()):
        last = draw(st.booleans())
        value = names[-1 if last else 0]
        text = {"en": f"Which {label} is the {'last' if last else 'first'} on the list?",
                "pt": f"Qual {label} é {'a' if name.label.feminine else 'o'} {'últim' if last else 'primeir'}{'a' if name.label.feminine else 'o'} da lista?"}[language]  # fmt: skip
        return Asked(text, *is_any([value])) if value is not None else Asked("", *is_figure(None))
    place = draw(st.integers(1, len(names) - 2))
    after = draw(st.booleans())
    anchor, other = names[place], names[place + (1 if after else -1)]
    if anchor is None or other is None or names.count(anchor) > 1:
        return Asked("", *is_figure(None))
    text = {"en": f"Which {label} is listed right {'after' if after else 'before'} {anchor}?",
            "pt": f"Qual {label} vem logo {'depois' if after else 'antes'} de {anchor} na lista?"}[language]  # fmt: skip
    return Asked(text, *is_any([other]))
