"""Dense, lexical and soft search, fused by weight: the default of the text route."""

from __future__ import annotations

from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import found_hits, hybrid_ranking
from polyrag_cli.types import ClauseDecision, Retrieval


class HybridStrategy:
    """The heads' scores after min-max scaling, with a bonus for passages at home in the clause's route."""

    name = "hybrid"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The best fused chunks."""
        return Retrieval(hits=found_hits(hybrid_ranking(query, context, decision.route), query, context))
