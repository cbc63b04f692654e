"""Owns how a negation turns round what follows it: "customers without orders", "not in Lisbon"."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.nl2sql.predicates import opposite
from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.parts import Check, Not, Noun, Role
from polyrag_cli.nl2sql.related.restricting import condition_of
from polyrag_cli.nl2sql.related.roles import related_by
from polyrag_cli.nl2sql.related.rules import Combined, Rules
from polyrag_cli.nl2sql.related.things import Among, Holds, Test
from polyrag_cli.nl2sql.related.ways import Ways


def _not_noun(ways: Ways, no: Not, noun: Noun, gap: int) -> Combined:
    if no.noun is None:
        yield 0.0, Not(noun)


def _not_check(ways: Ways, no: Not, check: Check, gap: int) -> Combined:
    if no.noun is None and len(check.tests) == 1:
        turned = _turned(check.tests[0])
        if turned is not None:
            yield 0.0, Check(check.table, (turned,))


def _without(ways: Ways, noun: Noun, no: Not, gap: int) -> Combined:
    if no.noun is None or noun.kind == no.noun.kind == "name":
        return
    condition = condition_of(no.noun)
    if noun.table == no.noun.table and condition is not None:
        yield 0.0, noun.kept(Holds(opposite(condition)))
        return
    for cost, things in finished(ways, no.noun):
        for more, path in ways.between(noun.table, no.noun.table):
            yield cost + more, noun.kept(Among(path, things, True))


def _role_not(ways: Ways, role: Role, no: Not, gap: int) -> Combined:
    if no.noun is not None:
        for cost, check in related_by(ways, role, no.noun):
            turned = _turned(check.tests[0])
            if turned is not None:
                yield cost, Check(check.table, (turned,))


def _turned(test: Test) -> Test | None:
    """What holds where a test doesn't."""
    match test:
        case Among():
            return replace(test, negated=not test.negated)
        case Holds(condition) if condition.operator in ("=", "!=", "in", "not in", ">", ">=", "<", "<="):
            return Holds(opposite(condition))
        case _:
            return None


RULES: Rules = {
    (Not, Noun): _not_noun,
    (Not, Check): _not_check,
    (Noun, Not): _without,
    (Role, Not): _role_not,
}
