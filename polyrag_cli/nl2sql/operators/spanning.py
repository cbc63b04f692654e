"""How much time lies between two rows, or from the first to the last: "how many years between A and B?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Rows
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Span:
    """The years from the earliest to the latest time of rows."""

    rows: Rows
    column: str

    def render(self, renderer: Renderer) -> str:
        year = renderer.year(self.column)
        source = renderer.source(self.rows).clause()
        return (
            f"SELECT MAX({year}) - MIN({year}) AS years, MIN({year}) AS first_year, MAX({year}) AS last_year {source}"
        )

    def state(self, speaker: Speaker, result: Result) -> str:
        years, first, last = result.rows[0]
        return f"{speaker.plain(years)} ({first}–{last})"


class Spanning:
    """Proposes the years between the times of the restricted rows."""

    name = "spanning"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        years = [i for i in scope.ask.focus[:2] if scope.question.tokens[i].date_part == "year"]
        lasting = scope.marks("ask:length", "ask:duration")
        between = scope.marks("between", "difference")
        if scope.superlatives() or not (lasting or (years and (between or scope.pair))):
            return
        if lasting and any(m.quality >= 0.6 for m in scope.measures):
            return
        asking = words_of([*between, *lasting, *scope.marks("count", "how_much", "which", "sum")])
        covered = covering(asking, dict.fromkeys(years, 1.0), dict.fromkeys(scope.ask.focus[:2], UNLINKED))
        for entry in [e for e in scope.profile.times if e.role in ("date", "year")][:2]:
            found = covering(covered, scope.naming(entry))
            yield Proposal(self.name, Span(scope.rows, entry.column.name), 0.9 if between else 0.7, found)


OPERATOR = Spanning()
