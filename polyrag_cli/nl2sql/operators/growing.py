"""By how much something grew or fell between two times or values: "how did members grow from 2021 to 2022?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from polyrag_cli.nl2sql.algebra import Comparison, Condition, Figure, Measure
from polyrag_cli.nl2sql.compared import Compared
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.proposals import Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Cell


@dataclass(frozen=True, slots=True)
class Growth(Compared):
    """The change from the first figure to the second, with the per cent of the first that it is."""

    def follows(self, renderer: Renderer) -> str:
        change = "value_2 - value_1"
        return f"{change} AS change, 100.0 * ({change}) / NULLIF(value_1, 0) AS percent"

    def said(self, speaker: Speaker, following: Sequence[Cell], items: Sequence[str]) -> str:
        change, percent = following
        measure = self.first.measure
        grown = f"{speaker.plain(percent)}%, " if percent is not None else ""
        return f"{speaker.measure(measure, change)} ({grown}{'; '.join(items)}, {speaker.described(measure)})"


def _is_range(restriction: Restriction) -> bool:
    return restriction.kind == "date" and restriction.conditions[0].operator == "between"


def _ends(scope: Scope) -> tuple[Restriction, Restriction] | None:
    """Return the years in which a range begins and ends ("from 2021 to 2022")."""
    ranges = [r for r in scope.chosen if _is_range(r)]
    if len(ranges) != 1:
        return None
    condition = ranges[0].conditions[0]
    years = [int(str(value)[:4]) for value in condition.values]
    operator: Comparison = "=" if scope.entry(ranges[0]).role == "year" else "year"
    first, second = (replace(ranges[0], conditions=(Condition(condition.column, operator, (year,)),)) for year in years)
    return (first, second) if years[0] != years[1] else None


class Growing:
    """Proposes the change between the two values of one column that the question names."""

    name = "growing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("growth")
        pair = scope.pair or _ends(scope)
        if not marks or pair is None or not all(r.kind == "date" or r.single for r in pair):
            return
        asking = words_of([*marks, *scope.marks("which", "how_much", "count", "object", "sum", "share")])
        for target in scope.measures:
            measure = Measure("sum" if target.entry.additive is not False else "avg", target.entry.column.name)
            left_out = [*pair, *(r for r in scope.chosen if _is_range(r))]
            start, end = (Figure(scope.rows_with(each, left_out), measure) for each in pair)
            names = (pair[0].conditions[0].values[0], pair[1].conditions[0].values[0])
            column = scope.entry(pair[0])
            covered = covering(
                asking, scope.naming(target.entry), scope.naming(column), dict.fromkeys(scope.label, 1.0)
            )
            expression = Growth(start, end, names, column.column.name)
            yield Proposal(self.name, expression, 1.0 + 0.4 * target.score, covered)


OPERATOR = Growing()
