"""BM25 alone, for identifiers, quoted strings and very short queries."""

from __future__ import annotations

from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import found_hits, lexical_ranking
from polyrag_cli.types import ClauseDecision, Retrieval


class LexicalStrategy:
    """The lexical head alone."""

    name = "lexical"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The chunks with the highest BM25; empty when no word is indexed."""
        return Retrieval(hits=found_hits(lexical_ranking(query, context, query.top_k), query, context))
