"""Which traces are listed, as a value."""

from __future__ import annotations

import pytest

from polyrag_cli.tui.telemetry.trace_filter import Filter


@pytest.mark.parametrize(
    ("text", "slow", "least", "words"),
    [
        ("", False, None, ""),
        ("", True, 30.0, ""),
        (">50", False, 50.0, ""),
        (">50 ms", True, 50.0, ""),
        ("> 2.5ms", True, 30.0, ""),
        ("quem >50 preside", False, 50.0, "quem preside"),
        ("a>50", False, None, "a>50"),
        (">50x", False, None, ">50x"),
    ],
)
def test_a_time_in_the_text_is_a_threshold(text: str, slow: bool, least: float | None, words: str) -> None:
    chosen = Filter(slow=slow, text=text)
    assert chosen.least_ms(30.0) == least
    assert chosen.words == words


def test_routes_go_round() -> None:
    chosen = Filter()
    seen = []
    for _ in range(3):
        chosen = chosen.next_route(["graph", "direct"])
        seen.append(chosen.route)
    assert seen == ["graph", "direct", ""]
    assert Filter(route="gone").next_route(["graph"]).route == ""
