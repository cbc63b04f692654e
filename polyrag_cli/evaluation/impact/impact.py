"""What another configuration would change before it is applied: chunks' homes and questions' routes.

Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.engine.impact import question_moves, report_of
from polyrag_cli.errors import UsageError
from polyrag_cli.ingest.rehoming import Rehoming
from polyrag_cli.routing.moves import unlabelled
from polyrag_cli.routing.router import Router
from polyrag_cli.types import EvalItem, ImpactReport, RouteDecision

MAX_QUESTIONS = 200
"""So many questions asked before are compared where none are given."""


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
        # Its anchors' vectors stay in memory, so that nothing is written.
        router = Router(new.routes, new.routing, engine.embedder, None)
        moves, homes = Rehoming(engine.stores, engine.embedder).moves(router, new.routing, snapshot)
        stored: Mapping[str, RouteDecision] = engine.traces.decisions(MAX_QUESTIONS) if items is None else {}
        in_use = router.config_hash == engine.router.config_hash
        asked = unlabelled(stored) if items is None else items
        known = stored if in_use else {}
        questions = question_moves(engine, asked, known, (engine.router, router), homes, snapshot)
    return report_of(moves, questions, _notes(engine.settings, new, in_use, items is None))


def _notes(now: Settings, new: Settings, in_use: bool, from_traces: bool) -> tuple[str, ...]:
    notes = []
    if now.chunking != new.chunking:
        notes.append("[chunking] differs too: files would be cut anew; homes are those of today's chunks.")
    if in_use and from_traces:
        notes.append("This is the configuration in use; questions are compared with how they were decided when asked.")
    elif in_use:
        notes.append("This is the configuration in use: only passages that move send a question elsewhere.")
    return tuple(notes)
