"""Frozen dataclasses that move between stages; their field names are the JSON's.

Offsets are character offsets into a document's extracted text, end exclusive. Scores are rounded to 1e-6.
"""

# ruff: noqa: I001 - several names of one import, each told to be for others too
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyrag_cli.types.answers import (
        Answer as Answer,
        HeadScore as HeadScore,
        Hit as Hit,
        LinkedSpan as LinkedSpan,
        Replay as Replay,
        Retrieval as Retrieval,
        SamePassage as SamePassage,
        SearchResult as SearchResult,
        SecondStatement as SecondStatement,
        TableAnswer as TableAnswer,
        TableReading as TableReading,
    )
    from polyrag_cli.types.documents import (
        Block as Block,
        BlockKind as BlockKind,
        Chunk as Chunk,
        DocumentShape as DocumentShape,
        LinedText as LinedText,
        LoadedDocument as LoadedDocument,
        RawTable as RawTable,
        Window as Window,
    )
    from polyrag_cli.types.events import (
        AnswerReady as AnswerReady,
        DecisionMade as DecisionMade,
        Event as Event,
        SpanEnded as SpanEnded,
        SpanStarted as SpanStarted,
        TokenWritten as TokenWritten,
        answer_of as answer_of,
    )
    from polyrag_cli.types.impact import (
        ChunkMove as ChunkMove,
        ImpactReport as ImpactReport,
        PendingImpact as PendingImpact,
        QuestionMove as QuestionMove,
    )
    from polyrag_cli.types.labels import EvalItem as EvalItem
    from polyrag_cli.types.plain import as_json as as_json
    from polyrag_cli.types.reports import (
        FileReport as FileReport,
        FileState as FileState,
        IngestedTable as IngestedTable,
        IngestReport as IngestReport,
    )
    from polyrag_cli.types.route_kinds import RouteKind as RouteKind
    from polyrag_cli.types.routing import (
        ChunkRoute as ChunkRoute,
        ClauseDecision as ClauseDecision,
        Evidence as Evidence,
        RouteDecision as RouteDecision,
        RouteScore as RouteScore,
        ScoreTerm as ScoreTerm,
    )
    from polyrag_cli.types.spans import SpanEvent as SpanEvent, SpanRecord as SpanRecord
    from polyrag_cli.types.table_cards import ColumnCard as ColumnCard, TableCard as TableCard, table_card as table_card
    from polyrag_cli.types.tables import (
        Cell as Cell,
        Column as Column,
        ColumnType as ColumnType,
        Reference as Reference,
        Relation as Relation,
        Rows as Rows,
        TableKey as TableKey,
        TableRef as TableRef,
        TableSchema as TableSchema,
    )

_HOLDS = {
    "answers": "Answer HeadScore Hit LinkedSpan Replay Retrieval SamePassage SearchResult SecondStatement TableAnswer"
    " TableReading",
    "documents": "Block BlockKind Chunk DocumentShape LinedText LoadedDocument RawTable Window",
    "events": "AnswerReady DecisionMade Event SpanEnded SpanStarted TokenWritten answer_of",
    "impact": "ChunkMove ImpactReport PendingImpact QuestionMove",
    "labels": "EvalItem",
    "plain": "as_json",
    "reports": "FileReport FileState IngestedTable IngestReport",
    "route_kinds": "RouteKind",
    "routing": "ChunkRoute ClauseDecision Evidence RouteDecision RouteScore ScoreTerm",
    "spans": "SpanEvent SpanRecord",
    "table_cards": "ColumnCard TableCard table_card",
    "tables": "Cell Column ColumnType Reference Relation Rows TableKey TableRef TableSchema",
}
_HOMES = {name: module for module, names in _HOLDS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    # Making these classes takes as long as importing numpy, and a decision needs few of them: a file is loaded when the
    # first of its names is asked for.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
