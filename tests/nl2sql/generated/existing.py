"""Questions that a yes or a no answers."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.nl2sql.generated.reference import Asked, is_figure
from tests.nl2sql.generated.restrictions import kept, restriction, restrictions, said
from tests.nl2sql.generated.tables import Table


@st.composite
def questions(draw: st.DrawFn, table: Table) -> Asked:
    """Whether there is such a row, or all are such."""
    noun, language = table.noun, table.language
    states = table.of("boolean")
    if states and draw(st.booleans()):
        state = states[0]
        every = draw(st.booleans())
        found = [row[state.place] is True for row in table.rows]
        word = state.label.many if not noun.feminine or language == "en" else state.label.many.replace("ados", "adas")
        portuguese = f"Tod{noun.a}s {noun.a}s {noun.many} foram {word}?" if every else f"Há {noun.many} {word}?"
        text = {"en": f"Are {'all' if every else 'any'} {noun.many} {word}?", "pt": portuguese}[language]
        return Asked(text, *is_figure(all(found) if every else any(found)))
    first = draw(restriction(table, draw(st.sampled_from([c for c in table.columns if c.spec.kind != "boolean"]))))
    chosen = (first, *draw(restrictions(table, 1, (first.place,))))
    text = {
        "en": f"{draw(st.sampled_from(['Are', 'Were']))} there any {noun.many}{said(chosen)}?",
        "pt": f"{draw(st.sampled_from(['Há', 'Existem']))} {noun.many}{said(chosen)}?",
    }[language]
    return Asked(text, *is_figure(bool(kept(table.rows, chosen))))
