"""Owns how rows and what they are grouped by combine: "orders per customer", "the average price by category"."""

from __future__ import annotations

from polyrag_cli.nl2sql.related.parts import Attribute, Groups, Held, MostNoun, Noun, Per, every
from polyrag_cli.nl2sql.related.rules import TURNED, Combined, Rules
from polyrag_cli.nl2sql.related.things import Reach
from polyrag_cli.nl2sql.related.ways import Ways


def _per(ways: Ways, per: Per, of: Noun | Attribute, gap: int) -> Combined:
    if per.of is None and (isinstance(of, Attribute) or of.kind == "all") and _sorts(ways, of):
        yield 0.0, Per(of)


def _sorts(ways: Ways, of: Noun | Attribute) -> bool:
    """Whether rows, or what a column holds, may be grouped by."""
    if isinstance(of, Noun):
        return not of.waiting and ways.database.group.named[of.table]
    return ways.entry(of).role in ("text", "code", "month", "year", "boolean")


def _grouped(ways: Ways, noun: Noun, per: Per, gap: int) -> Combined:
    if per.of is None or noun.waiting or noun.kind == "name":
        return
    if isinstance(per.of, Noun) and per.of.table == noun.table:
        return
    yield 0.0, Groups(noun, per.of)


def _held_grouped(ways: Ways, held: Held, per: Per, gap: int) -> Combined:
    if per.of is not None and held.function is None and not held.noun.waiting and held.noun.kind != "name":
        yield 0.0, Groups(held.noun, per.of, held.reach)


def _attribute_grouped(ways: Ways, attribute: Attribute, per: Per, gap: int) -> Combined:
    if per.of is not None and ways.entry(attribute).role == "measure":
        yield 0.0, Groups(every(attribute.table), per.of, Reach((), attribute.column))


def _most_grouped(ways: Ways, attribute: Attribute, most: MostNoun, gap: int) -> Combined:
    """The country of the most customers."""
    if _sorts(ways, attribute) and not most.noun.waiting and not most.roles:
        yield TURNED, Groups(most.noun, attribute, None, most.most)


RULES: Rules = {
    (Per, Noun): _per,
    (Per, Attribute): _per,
    (Noun, Per): _grouped,
    (Held, Per): _held_grouped,
    (Attribute, Per): _attribute_grouped,
    (Attribute, MostNoun): _most_grouped,
}
