"""Nearest windows by cosine, for definitions and reasons: the words of the answer needn't be those of the question."""

from __future__ import annotations

from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import dense_ranking, found_hits
from polyrag_cli.types import ClauseDecision, Retrieval


class DenseStrategy:
    """The vector head alone, with a bonus for passages at home in the clause's route."""

    name = "dense"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The chunks with the nearest windows; empty without an embedder."""
        return Retrieval(hits=found_hits(dense_ranking(query, context, decision.route), query, context))
