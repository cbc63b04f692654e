from __future__ import annotations

from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.value_index import ValueIndex

INDEX = ValueIndex([(0, "Old Mill Bridge"), (0, "Rose Hill"), (1, "Ira Bond, Lou Kay"), (1, "Lou Kay and Ira Bond")])


def test_words_that_follow_each_other_in_a_value() -> None:
    assert INDEX.containing(("mill", "bridge")) == [ValueRef(0, "Old Mill Bridge")]
    assert INDEX.containing(("old", "bridge")) == []
    assert INDEX.containing(("moor",)) == []


def test_members_of_a_list() -> None:
    assert ValueRef(1, "Ira Bond, Lou Kay") in INDEX.members["ira", "bond"]
    assert ("rose",) not in INDEX.members


def test_a_word_that_is_spelled_nearly_so() -> None:
    assert ValueRef(0, "Old Mill Bridge") in INDEX.spelled("bridgge")
    assert INDEX.spelled("lantern") == []
