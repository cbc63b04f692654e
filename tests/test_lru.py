from __future__ import annotations

from polyrag_cli.lru import Bounded


def test_the_longest_unused_go_first_once_the_weight_is_reached() -> None:
    kept: Bounded[str, int] = Bounded(3)
    for number, key in enumerate("abc"):
        kept.put(key, number)
    assert kept.get("a") == 0
    kept.put("d", 3)
    assert [kept.get(key) for key in "abcd"] == [0, None, 2, 3]


def test_a_heavy_value_stands_alone_and_a_replaced_one_frees_its_weight() -> None:
    kept: Bounded[str, str] = Bounded(4)
    kept.put("a", "x", 9)
    assert kept.get("a") == "x"
    kept.put("b", "y", 3)
    assert (kept.get("a"), kept.get("b")) == (None, "y")
    kept.put("b", "z", 1)
    kept.put("c", "w", 3)
    assert (kept.get("b"), kept.get("c")) == ("z", "w")


def test_nothing_weighs_nothing() -> None:
    kept: Bounded[int, int] = Bounded(2)
    for key in range(5):
        kept.put(key, key, 0)
    assert [kept.get(key) for key in range(5)] == [None, None, None, 3, 4]
