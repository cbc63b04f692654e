from __future__ import annotations

import pytest

from polyrag_cli.tui.telemetry.trace_table import went


@pytest.mark.parametrize(
    ("routes", "shown"),
    [
        (("graph",), "graph"),
        (("graph", "relational"), "graph +1"),
        (("relational", "graph", "vectorial"), "relati… +2"),
        (("a_route_of_a_user",), "a_route_o…"),
    ],
)
def test_a_compound_question_shows_its_first_route_and_how_many_more(routes: tuple[str, ...], shown: str) -> None:
    assert went(routes, 10) == shown
