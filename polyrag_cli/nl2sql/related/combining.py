"""Owns how neighbouring parts of a question over several tables become one: by the rule for their two types."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.nl2sql.related import bounding, grouping, holding, negating, restricting, roles, superlatives
from polyrag_cli.nl2sql.related.finishing import SENSELESS
from polyrag_cli.nl2sql.related.parts import Attribute, Check, Joint, MostOf, Not, Nothing, Noun, Part, every
from polyrag_cli.nl2sql.related.restricting import joined_names
from polyrag_cli.nl2sql.related.rules import Combined, Rules
from polyrag_cli.nl2sql.related.things import Among, Each, Either, Every
from polyrag_cli.nl2sql.related.ways import Ways

# What it costs that a column alone stands for rows.
_FOR_ROWS = 0.05

_RULES: Rules = {
    **restricting.RULES,
    **roles.RULES,
    **negating.RULES,
    **holding.RULES,
    **superlatives.RULES,
    **bounding.RULES,
    **grouping.RULES,
}


def combine(ways: Ways, left: Part, right: Part, gap: int) -> Combined:
    """Yield what two parts make together, with what it costs.

    gap: how many words stand between them.
    """
    if isinstance(left, Nothing) or isinstance(right, Nothing):
        yield 0.0, right if isinstance(left, Nothing) else left
        return
    rule = _RULES.get((type(left), type(right)))
    if rule is not None:
        yield from rule(ways, left, right, gap)


def combine_joined(left: Part, joint: Part, right: Part) -> Combined:
    """Yield what two parts make that are joined by "and" or "or"."""
    if not isinstance(joint, Joint):
        return
    if isinstance(left, Noun) and isinstance(right, Noun) and left.table == right.table:
        if left.kind == right.kind == "name":
            yield from joined_names(left, right, joint.both)
    elif isinstance(left, Check) and isinstance(right, Check) and left.table == right.table:
        if joint.both:
            yield 0.0, Check(left.table, (Each((*left.tests, *right.tests)),))
        elif len(left.tests) == len(right.tests) == 1:
            yield 0.0, Check(left.table, (Either((*left.tests, *right.tests)),))
    elif isinstance(left, Not) and isinstance(right, Not) and left.noun and right.noun and joint.both:
        for cost, noun in joined_names(left.noun, right.noun, False):
            yield cost, Not(noun)


def rows_of(ways: Ways, part: Part) -> Combined:
    """Yield the rows that a part means by itself."""
    if isinstance(part, Check):
        yield SENSELESS, every(part.table).kept(*part.tests)
    elif isinstance(part, MostOf) and ways.records(part.attribute) and not (part.function or part.most.counts):
        yield _FOR_ROWS, replace(every(part.attribute.table), waiting=(part,))
    elif isinstance(part, Attribute):
        for hop in ways.roles_of(part):
            yield _FOR_ROWS, every(hop.other).kept(Among((hop.back,), Every(part.table)))
