"""Answers that need no store: greetings and sums.

Owns their wording.
"""

from __future__ import annotations

from polyrag_cli.languages import OWN, UNDETERMINED, language
from polyrag_cli.languages.schema import Language
from polyrag_cli.routing.heuristics import greeting_language, sum_language
from polyrag_cli.strategies.arithmetic import SumError, evaluate, shown_value
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.text.fold import fold
from polyrag_cli.types import ClauseDecision, Retrieval


class DirectStrategy:
    """Greets back, or works out the sum."""

    name = "direct"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """An answer without sources; empty when the text is neither a sum nor a greeting."""
        if any(c.isdigit() for c in query.text):
            return Retrieval(answer=_sum(query.text, _spoken(sum_language(query.text), query)))
        # A greeting is too short for its language to be told from function words.
        return Retrieval(answer=_greeting(query.text, _spoken(greeting_language(query.text), query)))


def _spoken(said: Language | None, query: Query) -> Language:
    """The language to reply in: the one that the words are of, else the question's, else the program's own."""
    known = (said, language(query.language))
    return next((each for each in known if each is not None and each.code != UNDETERMINED), language(OWN))


def _greeting(text: str, spoken: Language) -> str:
    folded, greetings = fold(text), spoken.greetings
    meant = "thanks" if greetings.thanks.search(folded) else "leave" if greetings.leave.search(folded) else "hello"
    return greetings.replies[meant]


def _sum(text: str, spoken: Language) -> str | None:
    try:
        found = evaluate(text, spoken.code)
    except SumError as error:
        return spoken.arithmetic.replies[str(error)]
    if found is None:
        return None
    value, cut = shown_value(found.value, spoken.code)
    return f"{found.expression} {'≈' if cut else '='} {value}"
