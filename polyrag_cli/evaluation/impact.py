"""What another configuration would change before it is applied: chunks' homes and questions' routes.

Owns the report, and the check whether the corpus was ingested with other settings. Writes nothing; must never print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine, check_question
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.chunk_impact import ChunkMove, chunk_homes_under
from polyrag_cli.evaluation.datasets import EvalItem, load_set
from polyrag_cli.evaluation.question_impact import (
    MAX_QUESTIONS,
    NOTHING,
    QuestionMove,
    asked_before,
    changed,
    question_move,
    unlabelled,
)
from polyrag_cli.evaluation.rerouting import RehomedCatalog, router_under
from polyrag_cli.evaluation.routing_memory import router_before
from polyrag_cli.ingest.base import META_EMBEDDER, PipelineSettings
from polyrag_cli.ingest.prepare import Preparer
from polyrag_cli.registry import LOADER_SUFFIXES, resolve
from polyrag_cli.routing.base import RoutingSettings
from polyrag_cli.routing.router import Router
from polyrag_cli.stores.base import Snapshot, SourceRecord
from polyrag_cli.types import ChunkRoute, RouteDecision

SHOWN_NEAREST = 5
# More chunks than this are compared only when asked for: a millisecond each would keep an ingest waiting.
AUTOMATIC_CHUNKS = 5_000


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """What changes: of `chunks` chunks those with other homes, of `questions` questions those that go elsewhere.

    nearest_*: the unchanged ones that lie nearest to a boundary under the new settings, nearest first.
    from_sets: whether the questions are those of gate.sets. judged: questions with a label; right_before, right_after:
    how many of them go where the label says.
    notes: what the comparison can't show. skipped: why nothing was compared, else "".
    """

    chunks: int
    changed_chunks: tuple[ChunkMove, ...] = ()
    nearest_chunks: tuple[ChunkMove, ...] = ()
    questions: int = 0
    from_sets: bool = False
    changed_questions: tuple[QuestionMove, ...] = ()
    nearest_questions: tuple[QuestionMove, ...] = ()
    judged: int = 0
    right_before: int = 0
    right_after: int = 0
    notes: tuple[str, ...] = ()
    skipped: str = ""


def impact(
    engine: Engine, new: Settings, items: Sequence[EvalItem] | None = None, before: Router | None = None
) -> ImpactReport:
    """What `new` would change of the engine's corpus and of some questions; nothing is applied.

    items: labelled questions; without them the newest stored ones, as they are decided now (as they were decided when
    asked, where `new` is already what the engine is configured with). before: decides the questions in place of the
    engine's own router, where that is the new one already.

    Raises UsageError when the embedders differ, StoreError without a corpus.
    """
    if new.embedder.name != engine.settings.embedder.name:
        raise UsageError(
            f"the embedder changes from {engine.settings.embedder.name} to {new.embedder.name}: every cosine would be"
            " another one.",
            "Compare after polyrag ingest --reembed into a data directory of its own.",
        )
    with engine.snapshot() as snapshot:
        router = router_under(new, engine.embedder)
        moves, homes = chunk_homes_under(engine, router, RoutingSettings(**new.routing), snapshot)
        stored: Mapping[str, RouteDecision] = asked_before(engine) if items is None else {}
        in_use = router.config_hash == engine.router.config_hash
        asked = unlabelled(stored) if items is None else items
        known = stored if in_use and before is None else {}
        questions = _questions(asked, known, engine, (before or engine.router, router), homes, snapshot)
    return _report(moves, questions, _notes(engine.settings, new, in_use, items is None))


def _questions(
    items: Sequence[EvalItem],
    known: Mapping[str, RouteDecision],
    engine: Engine,
    routers: tuple[Router, Router],
    homes: Mapping[str, ChunkRoute],
    snapshot: Snapshot,
) -> list[QuestionMove]:
    """How each question moves from the first router to the second, under which chunks have these homes.

    known: the old decision of those that need not be decided for it.
    """
    catalog = RehomedCatalog(engine.catalog, homes)
    moves = []
    for item in items:
        text = check_question(item.question)
        vector = engine.embedder.embed_query(text)
        old = known.get(item.question)
        if old is None:
            old = routers[0].decide(text, snapshot, engine.stores, engine.catalog, vector)
        moves.append(question_move(item, old, routers[1].decide(text, snapshot, engine.stores, catalog, vector)))
    return moves


def _report(moves: Sequence[ChunkMove], questions: Sequence[QuestionMove], notes: tuple[str, ...]) -> ImpactReport:
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
        notes=notes,
    )


def _notes(now: Settings, new: Settings, in_use: bool, from_traces: bool) -> tuple[str, ...]:
    notes = []
    if now.chunking != new.chunking:
        notes.append("[chunking] differs too: files would be cut anew; homes are those of today's chunks.")
    if in_use and from_traces:
        notes.append("This is the configuration in use; questions are compared with how they were decided when asked.")
    elif in_use:
        notes.append("This is the configuration in use: no question can go elsewhere.")
    return tuple(notes)


def pending_impact(engine: Engine, skip_graph: bool = False) -> ImpactReport | None:
    """What the engine's own settings change of a corpus that was ingested with other ones; None when it wasn't.

    Settings of questions alone count too, where the last ingest noted its own.
    skip_graph: as of the ingest to come, since it is part of what decides a file's outcome.
    Bounded: a corpus of more than 5,000 chunks is not compared, and `skipped` says so.
    """
    if not engine.paths.catalog.exists():
        return None
    with engine.catalog.snapshot() as snapshot:
        stored = engine.catalog.meta(snapshot, META_EMBEDDER)
        # Another embedder is refused by ingesting, or re-embeds everything.
        if stored != engine.embedder.name:
            return None
        outdated = _outdated(engine, engine.catalog.sources(snapshot), skip_graph)
        before = router_before(engine, snapshot)
        if not outdated and before is None:
            return None
        chunks = engine.catalog.counts(snapshot)["chunks"]
    if outdated and chunks > AUTOMATIC_CHUNKS:
        return ImpactReport(chunks, skipped=f"{chunks:,} chunks are too many to compare while an ingest waits.")
    try:
        items = _configured(engine)
        if outdated or before is None:
            found = impact(engine, engine.settings, items, before)
        else:
            found = _of_questions(engine, before, chunks, items or unlabelled(asked_before(engine)))
        return replace(found, from_sets=items is not None)
    except (StoreError, UsageError) as error:
        # The ingest to come says what is wrong, or mends it.
        return ImpactReport(chunks, skipped=f"not compared: {error.message}")


def _configured(engine: Engine) -> Sequence[EvalItem] | None:
    """The first 200 questions of gate.sets; None where there are none.

    Raises UsageError for a set that can't be read.
    """
    items = [item for path in engine.settings.gate["sets"] for item in load_set(path)]
    return items[:MAX_QUESTIONS] or None


def _of_questions(engine: Engine, before: Router, chunks: int, asked: Sequence[EvalItem]) -> ImpactReport:
    """What settings that move no chunk change of some questions."""
    with engine.snapshot() as snapshot:
        questions = _questions(asked, {}, engine, (before, engine.router), {}, snapshot)
    return replace(_report((), questions, ()), chunks=chunks)


def _outdated(engine: Engine, sources: Sequence[SourceRecord], skip_graph: bool) -> bool:
    """Whether any file's recipe would be another one now, with or without the graph."""
    chunking = engine.settings.chunking
    settings = PipelineSettings(
        max_chars=chunking.max_chars,
        min_chars=chunking.min_chars,
        max_document_chars=chunking.max_document_chars,
        recipe=engine.settings.ingest_hash,
    )
    preparers = [Preparer(engine.embedder, engine.router, settings, flag) for flag in (skip_graph, not skip_graph)]
    suffixes = {PurePosixPath(source.path).suffix.lower() for source in sources}
    loaders = [
        resolve("loader", name)() for name in sorted({LOADER_SUFFIXES[s] for s in suffixes & set(LOADER_SUFFIXES)})
    ]
    marks = ["text", *(f"{loader.name} {loader.version}" for loader in loaders)]
    current = {preparer.recipe(mark) for preparer in preparers for mark in marks}
    return any(source.recipe not in current for source in sources)
