"""What per cent of all a part is: "what share of the orders was delivered?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Measure, Rows
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Covered, Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Share:
    """What per cent of the second figure the first is."""

    part: Figure
    whole: Figure

    @property
    def rows(self) -> Rows:
        return self.whole.rows

    def render(self, renderer: Renderer) -> str:
        shown = "100.0 * part / NULLIF(whole, 0) AS percent, part, whole"
        return renderer.figures(shown, part=self.part, whole=self.whole)

    def state(self, speaker: Speaker, result: Result) -> str:
        percent, part, whole = result.rows[0]
        measure = self.part.measure
        both = speaker.words["share"].format(speaker.measure(measure, part or 0), speaker.measure(measure, whole))
        return f"{speaker.plain(percent)}% ({both}, {speaker.described(measure)})"


class Sharing:
    """Proposes the share that one restriction has of what the others leave; with several it must be told which."""

    name = "sharing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("share")
        if not marks or len(scope.chosen) != 1:
            return
        whole = scope.rows_without(scope.chosen)
        asking = words_of([*marks, *scope.marks("which", "object", "sum", "how_much", "count")])
        money = [i for i in scope.ask.focus[:2] if i not in scope.label and scope.question.tokens[i].notions & MONEY]
        # "The share of snacks" asks for no column of shares.
        said = words_of(marks).keys()
        measures = [target for target in scope.measures if not said >= set(target.tokens)]
        for target in measures:
            if target.entry.additive is not False:
                measure = Measure("sum", target.entry.column.name)
                covered = covering(asking, scope.naming(target.entry))
                yield self._of(scope, measure, whole, 0.9 + 0.4 * target.score, covered)
        # A share of takings is one of money, which no number of rows tells.
        if not measures and not money:
            subject = scope.naming(scope.profile.subject)
            covered = covering(
                asking, subject, dict.fromkeys(scope.ask.focus[:2], UNLINKED), dict.fromkeys(scope.label, 1.0)
            )
            yield self._of(scope, Measure("count"), whole, 1.0, covered)

    def _of(self, scope: Scope, measure: Measure, whole: Rows, prior: float, covered: Covered) -> Proposal:
        return Proposal(self.name, Share(Figure(scope.rows, measure), Figure(whole, measure)), prior, covered)


OPERATOR = Sharing()
