from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.asking import asked
from polyrag_cli.nl2sql.column_items import column_items
from polyrag_cli.nl2sql.orders import orders
from polyrag_cli.nl2sql.scope import Scope
from tests.nl2sql.operators.staff import entry, parsed


def ordered(question: str) -> list[tuple[str, float, bool]]:
    taken, table = parsed(question), entry("staff")
    scope = Scope(asked(taken), table, tuple(column_items(taken, table, None)), ())
    (mark,) = scope.superlatives()
    return [(order.entry.column.name, order.fit, order.flipped) for order in orders(scope, mark)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # Named beside the superlative; meant by it; the earliest hired may be the oldest.
        ("Who has the highest salary?", [("salary", 1.0, False)]),
        ("Who was hired first?", [("hired", 0.85, False)]),
        ("Who is the oldest?", [("age", 0.85, False), ("hired", 0.6, True)]),
    ],
)
def test_what_words_of_comparing_order_by(question: str, expected: list[tuple[str, float, bool]]) -> None:
    assert ordered(question) == expected
