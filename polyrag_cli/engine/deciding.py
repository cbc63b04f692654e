"""Checks a question's text, embeds it and routes it: what `route`, `search`, `ask` and replay have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrag_cli import tracing
from polyrag_cli.engine.parts import Parts
from polyrag_cli.errors import QueryRejected
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.text.utterance import read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from polyrag_cli.stores.base import Snapshot
    from polyrag_cli.strategies.base import Query
    from polyrag_cli.types import RouteDecision

MAX_QUESTION_CHARS = 200_000


class Decider:
    """Decides about questions with an engine's parts."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def query(self, text: str, top_k: int, snapshot: Snapshot) -> Query:
        """The whole question; a language that its words don't tell is the corpus's own."""
        from polyrag_cli.strategies.base import Query

        asked = read(text)
        if asked.language == UNDETERMINED:
            asked = read(text, self._parts.catalog.main_language(snapshot))
        with tracing.span("embed.query", embedder=self._parts.embedder.name):
            vector = self._parts.embedder.embed_query(text)
        return Query(asked, vector, top_k)

    def decide(
        self,
        text: str,
        snapshot: Snapshot,
        vector: NDArray[np.float32] | None = None,
        route: str | None = None,
        strategy: str | None = None,
    ) -> RouteDecision:
        """Where a question goes. vector: its embedding, where it is known; route, strategy: what its asker insists
        on."""
        from polyrag_cli.routing.forcing import force

        parts = self._parts
        with tracing.span("pipeline.router", **tracing.content(question=text)) as routing:
            decision = parts.router.decide(read(text), snapshot, parts.stores, parts.catalog, vector)
            routing.set_attribute("routes", "+".join(clause.route for clause in decision.clauses))
            routing.set_attribute("stage", max(clause.stage for clause in decision.clauses))
        return force(decision, route, strategy, {r.name: r.strategy for r in parts.settings.routes})


def check_question(question: str) -> str:
    """The question without control characters and outer white space.

    Raises QueryRejected when nothing is left, or when it is longer than 200,000 characters.
    """
    if len(question) > MAX_QUESTION_CHARS:
        raise QueryRejected(f"the question is longer than {MAX_QUESTION_CHARS:,} characters.", "Ask something shorter.")
    # The two joiners are part of how words of some scripts are spelt.
    text = "".join(c if c.isprintable() or c in "\n\t\u200c\u200d" else " " for c in question).strip()
    if not any(c.isalnum() for c in text):
        raise QueryRejected("the question holds no words.", 'Try: polyrag ask "Which region sold most?"')
    return text
