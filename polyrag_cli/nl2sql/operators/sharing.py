"""What per cent of all a part is: "what share of the orders was delivered?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Measure, Rows
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.question import Mark
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
    """Proposes the share that restrictions have of what the others leave, where the question tells which are which."""

    name = "sharing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("share")
        part = part_of(scope, marks[0]) if len(marks) == 1 else ()
        if not part:
            return
        whole = scope.rows_without(part)
        asking = words_of([*marks, *scope.marks("which", "object", "sum", "how_much", "count")])
        subject = scope.naming(scope.profile.subject)
        rows = {*scope.label, *subject, *scope.restricting}
        money = [i for i in scope.ask.focus[:2] if i not in rows and scope.question.tokens[i].notions & MONEY]
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
            covered = covering(
                asking, subject, dict.fromkeys(scope.ask.focus[:2], UNLINKED), dict.fromkeys(scope.label, 1.0)
            )
            yield self._of(scope, Measure("count"), whole, 1.0, covered)

    def _of(self, scope: Scope, measure: Measure, whole: Rows, prior: float, covered: Covered) -> Proposal:
        return Proposal(self.name, Share(Figure(scope.rows, measure), Figure(whole, measure)), prior, covered)


def part_of(scope: Scope, mark: Mark) -> tuple[Restriction, ...]:
    """Return the restrictions of the part whose share is asked for; the others are of the whole. () where it isn't
    told.

    A single one is the part. Of several, those behind the verb are ("what percentage of the paid orders *were* from the
    North?"), or all behind the word for a share where others stand before it ("of the paid orders, what share …?").
    mark: the word for a share.
    """
    chosen = scope.chosen
    if len(chosen) < 2:
        return chosen
    behind = [r for r in chosen if r.tokens[0] > mark.last]
    verb = _verb_between(scope, mark, behind)
    if verb is None:
        part = behind if len(behind) < len(chosen) and len({r.position for r in behind}) == 1 else []
    else:
        part = [r for r in behind if r.tokens[0] > verb]
    # "… were from the North in 2023" leaves open whether the year is one of the part or of the whole.
    kinds = {r.kind == "date" for r in part}
    apart = {r.position for r in part}.isdisjoint(r.position for r in chosen if r not in part)
    return tuple(part) if len(kinds) == 1 and apart else ()


def _verb_between(scope: Scope, mark: Mark, behind: Sequence[Restriction]) -> int | None:
    """Return the place of the one verb that parts restrictions behind a word for a share in two; None without one."""
    question, verbs = scope.question, scope.question.lexicon.grammar.predicating
    within = {i for r in behind for i in (*r.tokens, *r.context)}
    found = [
        i
        for i in range(mark.last + 1, len(question.tokens))
        if question.tokens[i].folded in verbs
        and i not in within
        and any(r.tokens[-1] < i for r in behind)
        and any(r.tokens[0] > i for r in behind)
    ]
    return found[0] if len(found) == 1 else None


OPERATOR = Sharing()
