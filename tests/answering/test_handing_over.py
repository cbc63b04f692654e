"""What tables were asked in vain goes on to passages that say it, not to those that only share its names."""

from __future__ import annotations

import pytest

from polyrag_cli.answering.answerer import _says
from polyrag_cli.answering.clause_answer import ClauseAnswer
from polyrag_cli.types import ClauseDecision, Retrieval

CLAUSE = ClauseDecision("q", "q", "relational", (), 3, (), 0.0, 0.0, 0.5, 0.2, 0.25, "text_to_sql", "")


@pytest.mark.parametrize(
    ("asked", "text", "says"),
    [
        # Most of the words, whatever their endings and accents: 1 of 1, 2 of 2, 2 of 3, not 1 of 2.
        (("salário",), "Os salarios são pagos no dia 5.", True),
        (("salário", "camareira"), "A camareira recebe o salário na sexta.", True),
        (("salário", "camareira"), "O sistema monta as escalas das camareiras.", False),
        (("wage", "cook", "yearly"), "The cook's wages are paid on Fridays.", True),
        (("parking",), "The car stands behind the house.", False),
        # Every figure.
        (("300", "seats"), "There are 300 seats below the gallery.", True),
        (("300", "seats"), "There are many seats below the gallery.", False),
        (("2019",), "Nobody was hired in 2020.", False),
        (("2019",), "Ana was hired in 2019.", True),
        # Nothing was left unexplained: tables have no such operation.
        ((), "Whatever is said.", True),
    ],
)
def test_passages_say_what_the_tables_do_not(asked: tuple[str, ...], text: str, says: bool) -> None:
    assert _says(ClauseAnswer(CLAUSE, Retrieval(), text), asked) is says


def test_no_answer_says_nothing() -> None:
    assert not _says(ClauseAnswer(CLAUSE, Retrieval(), None), ("parking",))
