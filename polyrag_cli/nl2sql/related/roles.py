"""Owns how words that say the way in which rows are related combine: "states that border Texas", "managed by Ana"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.parts import BoundNoun, Check, MostNoun, Noun, Role
from polyrag_cli.nl2sql.related.restricting import related_tests
from polyrag_cli.nl2sql.related.rules import TURNED, Combined, Rules, swapped
from polyrag_cli.nl2sql.related.ways import Ways


def related_by(ways: Ways, role: Role, noun: Noun) -> Iterator[tuple[float, Check]]:
    """Yield what restricts rows to those that are related in a role to the rows of a noun."""
    for table in ways.database.sources(noun.table):
        for cost, things in finished(ways, noun):
            for more, path in ways.between(table, noun.table, ((role.table, role.column),)):
                yield cost + more, Check(table, related_tests(path, noun, things))


def _role_before(ways: Ways, role: Role, noun: Noun, gap: int) -> Combined:
    if gap == 0 and noun.kind == "all" and not noun.roles:
        yield TURNED, replace(noun, roles=((role.table, role.column),))
    yield from related_by(ways, role, noun)


def _role_behind(ways: Ways, noun: Noun, role: Role, gap: int) -> Combined:
    if noun.kind != "all" or noun.waiting:
        for cost, check in related_by(ways, role, noun):
            yield cost + TURNED, check


def _role_of_number(ways: Ways, role: Role, number: MostNoun | BoundNoun, gap: int) -> Combined:
    """In which role rows are counted: "borders the most states"."""
    yield 0.0, replace(number, roles=(*number.roles, (role.table, role.column)))


RULES: Rules = {
    (Role, Noun): _role_before,
    (Noun, Role): _role_behind,
    (Role, MostNoun): _role_of_number,
    (MostNoun, Role): swapped(_role_of_number),
    (Role, BoundNoun): _role_of_number,
}
