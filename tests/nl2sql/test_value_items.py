from __future__ import annotations

from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.value_items import value_items
from tests.nl2sql.operators.staff import entry, parsed

STAFF = entry("staff")


def found(question: str) -> list[tuple[str, object, float, str]]:
    """The words, the first value, the quality and the kind of the best option of each span."""
    taken = parsed(question)
    return [
        (" ".join(taken.tokens[i].text for i in best.tokens), best.conditions[0].values[0], best.quality, best.kind)
        for best, *_ in value_items(taken, STAFF, profile(STAFF).values)
    ]


def test_a_whole_cell_is_surest_and_surer_the_longer_it_is() -> None:
    assert found("How much does Ada Moss earn?") == [("Ada Moss", "Ada Moss", 1.2, "whole")]
    assert found("Who works in Leeds or Porto?") == [("Leeds", "Leeds", 1.1, "whole"), ("Porto", "Porto", 1.1, "whole")]


def test_one_word_of_a_cell_is_a_weaker_link() -> None:
    assert found("Who is Moss?") == [("Moss", "Ada Moss", 0.6, "part")]


def test_words_of_no_cell_name_none() -> None:
    assert found("Who knows the rules?") == []
