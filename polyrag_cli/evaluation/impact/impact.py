"""What another configuration would change before it is applied: chunks' homes and questions' routes.

Owns the report, and the check whether the corpus was ingested with other settings. Writes nothing; must never print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from polyrag_cli import __version__
from polyrag_cli.config import Settings
from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine, check_question
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.impact.chunk_impact import ChunkMove, chunk_homes_under
from polyrag_cli.evaluation.impact.question_impact import (
    NOTHING,
    QuestionMove,
    asked_before,
    changed,
    question_move,
    questions_asked,
    unlabelled,
)
from polyrag_cli.evaluation.impact.rerouting import RehomedCatalog, router_under
from polyrag_cli.evaluation.impact.routing_memory import NotedRouting, current_settings, noted_routing
from polyrag_cli.evaluation.quality.gate import changed_settings
from polyrag_cli.ingest.base import META_EMBEDDER, PipelineSettings
from polyrag_cli.ingest.prepare import Preparer
from polyrag_cli.registry import LOADER_SUFFIXES, resolve
from polyrag_cli.routing.router import Router
from polyrag_cli.stores.base import Snapshot, SourceRecord
from polyrag_cli.types import ChunkRoute, EvalItem, RouteDecision

SHOWN_NEAREST = 5
# More chunks and questions than these are compared only when asked for: an ingest waits a second or two at most.
AUTOMATIC_CHUNKS = 2_000
# Up to so many routes a chunk takes a millisecond; with more, in proportion longer.
AUTOMATIC_ROUTES = 20
AUTOMATIC_QUESTIONS = 100


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """What changes: of `chunks` chunks those with other homes, of `questions` questions those that go elsewhere.

    nearest_*: the unchanged ones that lie nearest to a boundary under the new settings, nearest first.
    judged: questions with a label; right_before, right_after: how many of them go where the label says. declined: how
    many that should be answered were, and would be no longer. notes: what the comparison can't show.
    """

    chunks: int
    changed_chunks: tuple[ChunkMove, ...] = ()
    nearest_chunks: tuple[ChunkMove, ...] = ()
    questions: int = 0
    changed_questions: tuple[QuestionMove, ...] = ()
    nearest_questions: tuple[QuestionMove, ...] = ()
    judged: int = 0
    right_before: int = 0
    right_after: int = 0
    declined: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingImpact:
    """What an ingest to come changes of a corpus that was ingested under other settings or by another version.

    report: counts alone where nothing was compared. files: how many would be read otherwise than they were.
    changes: what differs since the last ingest, the version first, each as "key old → new". noted: whether that ingest
    noted what it ran with. recut: whether passages are cut otherwise, so that today's homes end. from_sets: whether the
    questions are those of gate.sets. skipped: why nothing was compared, else ""; unasked: why no question was, else "".
    """

    report: ImpactReport
    files: int
    changes: tuple[str, ...] = ()
    noted: bool = True
    recut: bool = False
    from_sets: bool = False
    skipped: str = ""
    unasked: str = ""


def impact(engine: Engine, new: Settings, items: Sequence[EvalItem] | None = None) -> ImpactReport:
    """What `new` would change of the engine's corpus and of some questions; nothing is applied.

    items: labelled questions; without them the newest stored ones, as they are decided now (as they were decided when
    asked, where `new` is already what the engine is configured with).

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
        moves, homes = chunk_homes_under(engine, router, new.routing, snapshot)
        stored: Mapping[str, RouteDecision] = asked_before(engine) if items is None else {}
        in_use = router.config_hash == engine.router.config_hash
        asked = unlabelled(stored) if items is None else items
        known = stored if in_use else {}
        questions = _questions(asked, known, engine, (engine.router, router), homes, snapshot)
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
        declined=sum(move.lost for move in questions),
        notes=notes,
    )


def _notes(now: Settings, new: Settings, in_use: bool, from_traces: bool) -> tuple[str, ...]:
    notes = []
    if now.chunking != new.chunking:
        notes.append("[chunking] differs too: files would be cut anew; homes are those of today's chunks.")
    if in_use and from_traces:
        notes.append("This is the configuration in use; questions are compared with how they were decided when asked.")
    elif in_use:
        notes.append("This is the configuration in use: only passages that move send a question elsewhere.")
    return tuple(notes)


def pending_impact(engine: Engine, skip_graph: bool = False) -> PendingImpact | None:
    """What the engine's own settings change of a corpus that was ingested with other ones; None when it wasn't.

    Settings of questions alone count too, where the last ingest noted its own. Questions are decided as that ingest was
    configured and as the engine is, so that a change is told once; where it isn't known how, none is compared.
    skip_graph: as of the ingest to come, since it is part of what decides a file's outcome.
    Bounded: at most 100 questions; a corpus of more than 2,000 chunks, or of fewer with more than 20 routes, is not
    compared, and `skipped` says so.
    """
    if not engine.has_corpus:
        return None
    with engine.catalog.snapshot() as snapshot:
        stored = engine.catalog.meta(snapshot, META_EMBEDDER)
        # Another embedder is refused by ingesting, or re-embeds everything.
        if stored != engine.embedder.name:
            return None
        files = _outdated(engine, engine.catalog.sources(snapshot), skip_graph)
        noted = noted_routing(engine, snapshot)
        chunks = engine.catalog.counts(snapshot)["chunks"]
    differing = changed_settings(noted.settings, current_settings(engine.settings)) if noted else []
    if not files and not differing:
        return None
    versions = [f"version {noted.version} → {__version__}"] if noted and noted.version != __version__ else []
    recut = any(line.startswith("chunking.") for line in differing)
    pending = PendingImpact(
        ImpactReport(chunks),
        files,
        (*versions, *differing),
        noted is not None,
        recut,
        bool(engine.settings.gate.sets),
    )
    if files and not recut and chunks * max(1.0, len(engine.settings.routes) / AUTOMATIC_ROUTES) > AUTOMATIC_CHUNKS:
        waits = f"{chunks:,} chunks are too many to compare while an ingest waits"
        return replace(pending, skipped=f"{waits}; polyrag route --impact compares them before one")
    try:
        return _compared(engine, pending, None if versions else noted)
    except (StoreError, UsageError) as error:
        # The ingest to come says what is wrong, or mends it.
        return replace(pending, skipped=f"not compared: {error.message}")


def _compared(engine: Engine, pending: PendingImpact, noted: NotedRouting | None) -> PendingImpact:
    """With the moves of chunks, unless they are cut anew, and of questions, where it is noted how they went."""
    moved: Sequence[str] = [line for line in pending.changes if not line.startswith("chunking.")]
    unasked = "" if noted else "how questions went before isn't known"
    if pending.recut and not moved:
        unasked = unasked or "which questions go elsewhere isn't known before"
    asked = _asked(engine) if not unasked else ()
    with engine.snapshot() as snapshot:
        moves: Sequence[ChunkMove] = ()
        homes: Mapping[str, ChunkRoute] = {}
        if pending.files and not pending.recut:
            settings = engine.settings.routing
            moves, homes = chunk_homes_under(engine, engine.router, settings, snapshot)
        questions: Sequence[QuestionMove] = ()
        if noted and asked:
            questions = _questions(asked, {}, engine, (noted.router, engine.router), homes, snapshot)
    report = replace(_report(moves, questions, ()), chunks=pending.report.chunks)
    return replace(pending, report=report, unasked=unasked or ("" if asked else "no question asked yet to compare"))


def _asked(engine: Engine) -> Sequence[EvalItem]:
    """The first 100 questions of gate.sets; those asked last where it names none.

    Raises UsageError for a set that can't be read, StoreError when the stored questions can't.
    """
    items = [item for path in engine.settings.gate.sets for item in load_set(path)]
    return items[:AUTOMATIC_QUESTIONS] or unlabelled(questions_asked(engine, AUTOMATIC_QUESTIONS))


def _outdated(engine: Engine, sources: Sequence[SourceRecord], skip_graph: bool) -> int:
    """How many files' recipes would be other ones now, with or without the graph."""
    settings = PipelineSettings(engine.settings.chunking, recipe=engine.settings.ingest_hash)
    preparers = [Preparer(engine.embedder, engine.router, settings, flag) for flag in (skip_graph, not skip_graph)]
    suffixes = {PurePosixPath(source.path).suffix.lower() for source in sources}
    loaders = [
        resolve("loader", name)() for name in sorted({LOADER_SUFFIXES[s] for s in suffixes & set(LOADER_SUFFIXES)})
    ]
    marks = ["text", *(f"{loader.name} {loader.version}" for loader in loaders)]
    current = {preparer.recipe(mark) for preparer in preparers for mark in marks}
    return sum(source.recipe not in current for source in sources)
