"""Anchors proposed from misrouted questions: each with what it would fix and break among the other questions.

Owns the counting. Question anchors move no chunk: homes are decided by statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config import Settings
from polyrag_cli.evaluation.tuning.kept_questions import Decided, KeptQuestion, has_route
from polyrag_cli.languages import OWN, UNDETERMINED
from polyrag_cli.providers.base import Embedder
from polyrag_cli.routing.anchors import AnchorMatrix
from polyrag_cli.routing.moves import routed
from polyrag_cli.routing.router import Router
from polyrag_cli.text.language import detect
from polyrag_cli.types import EvalItem

MAX_PROPOSALS = 5
# Misrouted questions that are tried, in the order of the set.
MAX_TRIED = 100


@dataclass(frozen=True, slots=True)
class AnchorProposal:
    """A misrouted question as an anchor of its right route.

    key: where it would stand in polyrag.toml. decided: the route that it goes to now. fixes_itself: whether it then
    goes where it should. fixes, breaks: other questions that turn right or wrong; near-duplicates of it don't count.
    """

    question: str
    key: str
    route: str
    decided: str
    fixes_itself: bool
    fixes: tuple[str, ...]
    breaks: tuple[str, ...]


def propose_anchors(
    settings: Settings,
    embedder: Embedder,
    router: Router,
    questions: Sequence[KeptQuestion],
    decided: Sequence[Decided],
    groups: Sequence[int],
) -> tuple[AnchorProposal, ...]:
    """The proposals that fix anything, those with most fixes over breaks first, at most five; none without an embedder.

    router: of the current settings; decided: its decisions. groups: near-duplicates share a number.
    """
    if not embedder.dimension:
        return ()
    routes = sorted(settings.routes, key=lambda route: route.name)
    base = _Anchors(
        tuple(route.name for route in routes),
        tuple(route.question_anchors for route in routes),
        tuple(_embedded(route.question_anchors, embedder) for route in routes),
    )
    right = [routed(kept.item, clauses) for kept, clauses in zip(questions, decided, strict=True)]
    clause_vectors = [_clause_vectors(kept, embedder) for kept in questions]
    found = []
    for index in [i for i, kept in enumerate(questions) if not right[i] and _usable(kept, base.names)][:MAX_TRIED]:
        item = questions[index].item
        wider = base.with_anchor(item.routes[0], item.question, embedder)
        now = [_right(kept, own, wider, router) for kept, own in zip(questions, clause_vectors, strict=True)]
        others = [i for i in range(len(questions)) if groups[i] != groups[index] and has_route(questions[i].item)]
        found.append(
            AnchorProposal(
                question=item.question,
                key=f"routes.{item.routes[0]}.anchors.question.{_language(item)}",
                route=item.routes[0],
                decided="+".join(dict.fromkeys(clause.route for clause in decided[index])),
                fixes_itself=now[index],
                fixes=tuple(questions[i].item.question for i in others if now[i] and not right[i]),
                breaks=tuple(questions[i].item.question for i in others if right[i] and not now[i]),
            )
        )
    found.sort(key=lambda p: (len(p.breaks) - len(p.fixes), not p.fixes_itself, p.question))
    return tuple([p for p in found if p.fixes or p.fixes_itself][:MAX_PROPOSALS])


@dataclass(frozen=True, slots=True)
class _Anchors:
    """The question anchors of every route, in the router's order, with their (n, d) vectors."""

    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    vectors: tuple[NDArray[np.float32], ...]

    def with_anchor(self, route: str, text: str, embedder: Embedder) -> AnchorMatrix:
        """The matrix of all anchors and one more."""
        place = self.names.index(route)
        texts, vectors = list(self.texts), list(self.vectors)
        texts[place] = (*texts[place], text)
        vectors[place] = np.vstack([vectors[place], _embedded([text], embedder)])
        return AnchorMatrix(texts, np.vstack(vectors))


def _embedded(texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    # One text a batch, as the router embeds its anchors.
    rows = [embedder.embed([text]) for text in texts]
    return np.vstack(rows) if rows else np.zeros((0, embedder.dimension), dtype=np.float32)


def _clause_vectors(kept: KeptQuestion, embedder: Embedder) -> list[NDArray[np.float32]]:
    if len(kept.clauses) == 1:
        return [kept.vector]
    return [embedder.embed_query(inputs.asked.text) for inputs in kept.clauses]


def _usable(kept: KeptQuestion, names: Sequence[str]) -> bool:
    """Whether a question belongs to one configured route, and its form doesn't decide it whatever the anchors say."""
    item, clauses = kept.item, kept.clauses
    return has_route(item) and len(item.routes) == 1 == len(clauses) and item.routes[0] in names and not clauses[0].form


def _right(kept: KeptQuestion, vectors: Sequence[NDArray[np.float32]], anchors: AnchorMatrix, router: Router) -> bool:
    """Whether a question goes where its label says under other anchors."""
    pairs = zip(kept.clauses, vectors, strict=True)
    scored = [inputs if inputs.form else replace(inputs, anchors=anchors.score(own)) for inputs, own in pairs]
    return routed(kept.item, [router.conclude(inputs) for inputs in scored])


def _language(item: EvalItem) -> str:
    """The list of anchors that a question belongs to."""
    found = item.lang or detect(item.question)
    return found if found != UNDETERMINED else OWN
