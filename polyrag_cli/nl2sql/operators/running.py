"""The longest run of rows that follow one another: "how many consecutive years did Ana win?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Measure, Rows, Scan
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Run:
    """How many of `rows` follow one another at most in the order of `whole`."""

    rows: Rows
    whole: Scan

    def render(self, renderer: Renderer) -> str:
        return renderer.run(self.rows, self.whole)

    def state(self, speaker: Speaker, result: Result) -> str:
        return speaker.figure(Measure("count"), result.rows[0][0])


class Running:
    """Proposes the length of the longest run where what follows one another is counted."""

    name = "running"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("consecutive")
        if not marks or not scope.chosen or not (scope.ask.counts or scope.superlatives()):
            return
        nouns = dict.fromkeys(scope.ask.focus[:3], UNLINKED)
        times = covering(*(scope.naming(entry) for entry in scope.profile.times))
        asking = words_of([*marks, *scope.superlatives(), *scope.marks("count", "which", "sum")])
        covered = covering(asking, nouns, times, dict.fromkeys(scope.label, 1.0))
        yield Proposal(self.name, Run(scope.rows, scope.scan), 1.1, covered)


OPERATOR = Running()
