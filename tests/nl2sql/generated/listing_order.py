"""Questions for the row that is listed first, last, before or after another."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import UNASKED, Asked, is_any
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
        text = {
            "en": f"Which {label} is the {'last' if last else 'first'} on the list?",
            "pt": f"Qual {label} é {name.label.a} {'últim' if last else 'primeir'}{name.label.a} da lista?",
        }[language]
        return Asked(text, *is_any([value])) if value is not None else UNASKED
    place = draw(st.integers(1, len(names) - 2))
    after = draw(st.booleans())
    anchor, other = names[place], names[place + (1 if after else -1)]
    if anchor is None or other is None or names.count(anchor) > 1:
        return UNASKED
    text = {
        "en": f"Which {label} is listed right {'after' if after else 'before'} {anchor}?",
        "pt": f"Qual {label} vem logo {'depois' if after else 'antes'} de {anchor} na lista?",
    }[language]
    return Asked(text, *is_any([other]))
