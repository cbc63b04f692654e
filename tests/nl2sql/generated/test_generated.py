"""Generated questions of generated tables: never a wrong answer, and enough of them answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.providers.use_m3 import UseM3Embedder
from tests.nl2sql.generated.grammars import NAMES, tally

# By operator, the least share of the questions with an answer that is answered, in English and in Portuguese.
COVERED = {
    "across": (0.95, 0.95),
    "against": (0.95, 0.95),
    "aggregate": (0.95, 0.95),
    "comparing": (0.95, 0.95),
    "directing": (0.95, 0.95),
    "existing": (0.95, 0.95),
    "grouping": (0.9, 0.9),
    "growing": (0.95, 0.95),
    "listing_order": (0.95, 0.95),
    "running": (0.95, 0.95),
    "sameness": (0.95, 0.95),
    "select": (0.7, 0.7),
    "sharing": (0.95, 0.95),
    "spanning": (0.95, 0.95),
    "superlative": (0.9, 0.9),
    "widening": (0.95, 0.95),
}
# Questions of each operator and language: together 120, and 5,400 where all tests run.
FEW, MANY = 4, 180


@pytest.fixture(scope="module")
def similar(model: Path) -> WordSimilarity:
    return WordSimilarity(UseM3Embedder(model, threads=1).embed)


def test_every_operator_has_a_grammar() -> None:
    assert COVERED.keys() == set(NAMES)


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("operator", NAMES)
def test_a_sample_has_no_wrong_answer(operator: str, language: str, similar: WordSimilarity) -> None:
    found = tally(operator, language, FEW, similar)
    assert not found.wrong, found.wrong[0]
    assert found.asked >= FEW


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("operator", NAMES)
def test_no_answer_is_wrong(operator: str, language: str, similar: WordSimilarity) -> None:
    found = tally(operator, language, MANY, similar)
    assert not found.wrong, found.wrong[0]
    assert found.asked >= MANY
    assert found.coverage >= COVERED[operator][language == "pt"], found.declined[:5]
