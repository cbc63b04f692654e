"""What other settings change of a corpus and of questions to it: compared, and put together as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyrag_cli.engine.deciding import check_question
from polyrag_cli.engine.parts import Parts
from polyrag_cli.routing.moves import changed, question_move
from polyrag_cli.routing.rerouting import RehomedCatalog
from polyrag_cli.routing.router import Router
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.utterance import read
from polyrag_cli.types import ChunkMove, ChunkRoute, EvalItem, ImpactReport, QuestionMove, RouteDecision
from polyrag_cli.types.impact import NOTHING

SHOWN_NEAREST = 5


def question_moves(
    parts: Parts,
    items: Sequence[EvalItem],
    known: Mapping[str, RouteDecision],
    routers: tuple[Router, Router],
    homes: Mapping[str, ChunkRoute],
    snapshot: Snapshot,
) -> list[QuestionMove]:
    """How each question moves from the first router to the second, under which chunks have these homes.

    known: the old decision of those that need not be decided for it.
    """
    catalog = RehomedCatalog(parts.catalog, homes)
    moves = []
    for item in items:
        asked = read(check_question(item.question))
        vector = parts.embedder.embed_query(asked.text)
        old = known.get(item.question)
        if old is None:
            old = routers[0].decide(asked, snapshot, parts.stores, parts.catalog, vector)
        moves.append(question_move(item, old, routers[1].decide(asked, snapshot, parts.stores, catalog, vector)))
    return moves


def report_of(
    moves: Sequence[ChunkMove], questions: Sequence[QuestionMove], notes: tuple[str, ...] = ()
) -> ImpactReport:
    """The report of all chunks' and questions' moves."""
    still = [move for move in moves if move.old == move.new and len(move.new) == 1]
    # Of a question that nothing answers the margin between routes says nothing.
    unmoved = [m for m in questions if m.old == m.new and m.new_margin > 0 and NOTHING not in m.new]
    judged = [move for move in questions if move.right_after is not None]
    return ImpactReport(
        len(moves),
        tuple(move for move in moves if move.old != move.new),
        tuple(sorted(still, key=lambda move: (move.distance, move.chunk_id))[:SHOWN_NEAREST]),
        questions=len(questions),
        changed_questions=changed(questions),
        nearest_questions=tuple(sorted(unmoved, key=lambda move: (move.new_margin, move.question))[:SHOWN_NEAREST]),
        judged=len(judged),
        right_before=sum(bool(move.right_before) for move in judged),
        right_after=sum(bool(move.right_after) for move in judged),
        declined=sum(move.lost for move in questions),
        notes=notes,
    )
