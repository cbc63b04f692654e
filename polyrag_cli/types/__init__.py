"""Frozen dataclasses that move between stages; their field names are the JSON's.

Offsets are character offsets into a document's extracted text, end exclusive. Scores are rounded to 1e-6.
"""

from __future__ import annotations

from polyrag_cli.types.answers import (
    Answer,
    HeadScore,
    Hit,
    LinkedSpan,
    Replay,
    Retrieval,
    SearchResult,
    SecondStatement,
    TableAnswer,
    TableReading,
)
from polyrag_cli.types.documents import Block, BlockKind, Chunk, LoadedDocument, RawTable, Window
from polyrag_cli.types.events import AnswerReady, DecisionMade, Event, SpanEnded, SpanStarted, TokenWritten, answer_of
from polyrag_cli.types.impact import ChunkMove, ImpactReport, PendingImpact, QuestionMove
from polyrag_cli.types.labels import EvalItem
from polyrag_cli.types.plain import as_json
from polyrag_cli.types.reports import FileReport, FileState, IngestedTable, IngestReport
from polyrag_cli.types.route_kinds import RouteKind
from polyrag_cli.types.routing import ChunkRoute, ClauseDecision, Evidence, RouteDecision, RouteScore, ScoreTerm
from polyrag_cli.types.spans import SpanEvent, SpanRecord
from polyrag_cli.types.table_card import ColumnCard, TableCard, table_card
from polyrag_cli.types.tables import (
    Cell,
    Column,
    ColumnType,
    Reference,
    Relation,
    Rows,
    TableKey,
    TableRef,
    TableSchema,
)

__all__ = [
    "Answer",
    "AnswerReady",
    "Block",
    "BlockKind",
    "Cell",
    "Chunk",
    "ChunkMove",
    "ChunkRoute",
    "ClauseDecision",
    "Column",
    "ColumnCard",
    "ColumnType",
    "DecisionMade",
    "EvalItem",
    "Event",
    "Evidence",
    "FileReport",
    "FileState",
    "HeadScore",
    "Hit",
    "ImpactReport",
    "IngestReport",
    "IngestedTable",
    "LinkedSpan",
    "LoadedDocument",
    "PendingImpact",
    "QuestionMove",
    "RawTable",
    "Reference",
    "Relation",
    "Replay",
    "Retrieval",
    "RouteDecision",
    "RouteKind",
    "RouteScore",
    "Rows",
    "ScoreTerm",
    "SearchResult",
    "SecondStatement",
    "SpanEnded",
    "SpanEvent",
    "SpanRecord",
    "SpanStarted",
    "TableAnswer",
    "TableCard",
    "TableKey",
    "TableReading",
    "TableRef",
    "TableSchema",
    "TokenWritten",
    "Window",
    "answer_of",
    "as_json",
    "table_card",
]
