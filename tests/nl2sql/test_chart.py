from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.chart import Reading, readings
from tests.nl2sql.operators.staff import entry, parsed

STAFF = entry("staff")


def restrictions(question: str) -> list[set[Condition]]:
    found = [{c for r in reading.scope.chosen for c in r.conditions} for reading in _readings(question)]
    return [one for place, one in enumerate(found) if one not in found[:place]]


def _readings(question: str) -> list[Reading]:
    return list(readings(parsed(question), STAFF, None))


def test_restrictions_that_do_not_overlap_hold_together() -> None:
    above, leeds = Condition("salary", ">", (4000,)), Condition("office", "=", ("Leeds",))
    assert restrictions("Who earns a salary above 4000 in Leeds?")[0] == {above, leeds}


def test_a_value_beside_its_column_s_name_is_always_meant() -> None:
    porto = Condition("office", "=", ("Porto",))
    assert all(porto in found for found in restrictions("Who works in the office Porto?"))


def test_weak_links_may_be_left_out() -> None:
    found = restrictions("What does Moss earn?")
    assert {Condition("name", "=", ("Ada Moss",))} in found and set() in found


def test_a_negation_turns_round_the_restriction_that_it_stands_at() -> None:
    chosen = _readings("How many employees are not in Leeds?")[0].scope.chosen
    assert [(r.negated, r.conditions) for r in chosen] == [(True, (Condition("office", "=", ("Leeds",)),))]


def test_each_reading_says_which_operator_proposes_it() -> None:
    assert {"aggregate"} <= {reading.proposal.operator for reading in _readings("How many employees work in Leeds?")}
