from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition, Scan, Where
from polyrag_cli.nl2sql.chart import readings
from polyrag_cli.nl2sql.scope import Scope
from tests.nl2sql.operators.staff import entry, parsed


def scope_of(question: str) -> Scope:
    """The scope of the strongest choice of restrictions."""
    return next(readings(parsed(question), entry("staff"), None)).scope


def test_the_rows_that_restrictions_leave() -> None:
    above, leeds = Condition("salary", ">", (4000,)), Condition("office", "=", ("Leeds",))
    scope = scope_of("Who earns a salary above 4000 in Leeds?")
    assert scope.rows == Where(Scan("staff"), (above, leeds))
    assert scope.rows_without(scope.chosen[:1]) == Where(Scan("staff"), (leeds,))
    assert scope.rows_without(scope.chosen) == Scan("staff")


def test_words_that_restrict_name_no_measure() -> None:
    scope = scope_of("What is the average age in Leeds?")
    assert [target.entry.column.name for target in scope.measures][:1] == ["age"]
    assert set(scope.covered) == {i for r in scope.chosen for i in (*r.tokens, *r.context)}


def test_two_values_of_a_column_are_a_pair() -> None:
    pair = scope_of("Who earns more, Ada Moss or Bruno Reyes?").pair
    assert pair is not None and [r.conditions[0].values for r in pair] == [("Ada Moss",), ("Bruno Reyes",)]
    assert scope_of("What does Ada Moss earn?").pair is None


def test_a_negated_restriction_is_turned_round() -> None:
    scope = scope_of("How many employees are not in Leeds?")
    assert scope.rows == Where(Scan("staff"), (Condition("office", "!=", ("Leeds",)),))
