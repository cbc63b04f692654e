"""Owns what a rule is by which two neighbouring parts of a question become one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from polyrag_cli.nl2sql.related.parts import Part
from polyrag_cli.nl2sql.related.ways import Ways

Combined = Iterator[tuple[float, Part]]
"""What parts may make together, each with what it costs."""

Rule = Callable[..., Combined]
"""Called with the ways, the left part, the right part and how many words stand between them (`gap`)."""

Rules = Mapping[tuple[type, type], Rule]
"""Rules by the types of the left and the right part."""

# What several rules ask for parts that stand in an unusual order, or apart from each other.
TURNED = 0.05
APART = 0.3


def swapped(rule: Rule) -> Rule:
    """The rule for the same parts the other way round."""

    def turned(ways: Ways, left: Part, right: Part, gap: int) -> Combined:
        return rule(ways, right, left, gap)

    return turned
