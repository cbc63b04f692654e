"""Whether there are such rows, or all rows are such: "is there a pharmacy in Porto?", "did all pass?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Predicate, Rows
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.predicates import predicates
from polyrag_cli.nl2sql.proposals import Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether there is any of `rows`; with `every`, whether all of them satisfy it."""

    rows: Rows
    every: tuple[Predicate, ...] = ()

    def render(self, renderer: Renderer) -> str:
        source = renderer.source(self.rows)
        if not self.every:
            return f"SELECT COUNT(*) > 0 AS holds, COUNT(*) AS count {source.clause()}"
        satisfied = " AND ".join(renderer.predicate(p) for p in self.every)
        counted = f"COUNT(*) FILTER (WHERE {satisfied})"
        return f"SELECT {counted} = COUNT(*) AS holds, {counted} AS matching, COUNT(*) AS count {source.clause()}"

    def state(self, speaker: Speaker, result: Result) -> str:
        holds, *counts = result.rows[0]
        said = speaker.words["yes" if holds else "no"]
        if self.every:
            return f"{said} ({speaker.words['of_rows'].format(*counts)})"
        return f"{said} ({speaker.words['row' if counts[0] == 1 else 'rows'].format(counts[0])})"


class Existing:
    """Proposes a verdict where a yes or a no answers, or "is there" opens the question."""

    name = "existing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        opening = [m for m in scope.marks("exists") if m.first == 0]
        if not scope.chosen or not (scope.ask.yes_no or opening) or scope.superlatives() or scope.marks("than"):
            return
        compared = scope.marks("before", "after") or (scope.marks("or") and scope.marks("more", "less"))
        if scope.pair is not None and compared:
            # The two are compared.
            return
        asking = covering(words_of(opening), {0: 1.0}, dict.fromkeys(scope.label, 1.0))
        named = covering(
            asking,
            scope.naming(scope.profile.subject, 0.9),
            *(scope.naming(t.entry, 0.8) for t in scope.targets if t.entry.role != "measure"),
        )
        every = [i for i, t in enumerate(scope.question.tokens) if t.folded in scope.question.lexicon.grammar.every]
        if not every:
            yield Proposal(self.name, Exists(scope.rows), 0.9, named)
            return
        # What is said last of all of them is what all must satisfy.
        last: Restriction = max(scope.chosen, key=lambda r: r.tokens)
        rest = scope.rows_without([last])
        covered = covering(named, dict.fromkeys(every, 1.0))
        if last.tokens[0] > every[0]:
            yield Proposal(self.name, Exists(rest, predicates([last])), 1.0, covered)


OPERATOR = Existing()
