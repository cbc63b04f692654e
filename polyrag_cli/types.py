"""Frozen dataclasses that move between stages; their field names are the JSON's.

Offsets are character offsets into a document's extracted text, end exclusive. Scores are rounded to 1e-6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BlockKind = Literal["heading", "paragraph", "list", "table", "code"]
ColumnType = Literal["integer", "number", "date", "boolean", "text"]
FileState = Literal["added", "updated", "unchanged", "skipped", "failed", "removed"]
Cell = str | int | float | bool | None


# ---------------------------------------------------------------- what loaders give
@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document's text; `level` is 1–6 for headings, 0 otherwise; `page` counts from 1."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as its source holds it: rows of cell texts, the header first unless `has_header` is False.

    name: a suggestion (file stem, sheet name or heading), not yet an SQL identifier.
    start, end: where the table stands in the document's text; 0, 0 when the document is only this table.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    has_header: bool = True
    heading: str = ""
    start: int = 0
    end: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document as a loader extracts it. `key` is "" for the file itself, a record's id inside a file of
    documents."""

    text: str
    blocks: tuple[Block, ...] = ()
    tables: tuple[RawTable, ...] = ()
    title: str = ""
    key: str = ""
    warnings: tuple[str, ...] = ()


# ---------------------------------------------------------------- what chunking gives
@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document.

    chunk_id: first 16 hex digits of sha256(document, start, end, text).
    heading: the heading path, joined by " › ", without the document's own title.
    lead: the document's text from the section's heading to `start`, for the first chunk of a section: what people are
    shown above the passage. It is no part of `text`.
    """

    chunk_id: str
    document: str
    ordinal: int
    start: int
    end: int
    text: str
    heading: str = ""
    title: str = ""
    page: int | None = None
    kind: BlockKind = "paragraph"
    language: str = "und"
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Two neighbouring sentences of a chunk (one, when the chunk has only one); the unit of the vector index."""

    chunk_id: str
    ordinal: int
    start: int
    end: int
    text: str


# ---------------------------------------------------------------- tables
@dataclass(frozen=True, slots=True)
class Column:
    """A typed column: `name` is the SQL identifier, `label` the header as it stands in the source."""

    name: str
    label: str
    type: ColumnType
    values: tuple[str, ...] = ()
    distinct: int = 0
    nulls: int = 0
    decimal: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A stored table: `name` is its SQL identifier, `file` its Parquet file's name, `values` of columns are capped."""

    name: str
    document: str
    label: str
    columns: tuple[Column, ...]
    rows: int
    file: str = ""
    heading: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sql: str = ""
    truncated: bool = False


# ---------------------------------------------------------------- routing
@dataclass(frozen=True, slots=True)
class Evidence:
    """What a store really holds that speaks for a route; kind is entity, heading, column, value, table, text or
    none."""

    kind: str
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class RouteScore:
    """One route's arithmetic: `score` is stage 2's cosine, `final_score` includes store evidence."""

    route: str
    score: float
    final_score: float
    anchor: str
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class ClauseDecision:
    """Where one clause of a question goes, and the numbers that sent it there; `scores` is sorted by `final_score`.

    stage: 1 heuristic, 2 cosine and margin, 3 store evidence; 0 when forced by the caller.
    answerable: False when evidence is below `evidence_min` everywhere.
    """

    text: str
    normalized: str
    route: str
    also: tuple[str, ...]
    stage: int
    scores: tuple[RouteScore, ...]
    margin: float
    final_margin: float
    tau_high: float
    tau_low: float
    delta_margin: float
    strategy: str
    reason: str
    answerable: bool = True
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The decision for a whole question; equal for equal corpus, config and question (times aside).

    forced_route, forced_strategy: what the caller insisted on.
    """

    question: str
    clauses: tuple[ClauseDecision, ...]
    config_hash: str
    generation: int
    took_ms: float = 0.0
    timings: Mapping[str, float] = field(default_factory=dict)
    forced_route: str | None = None
    forced_strategy: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkRoute:
    """A chunk's home store: `scores` by route; `also` holds a second home when the margin is inside delta."""

    home: str
    also: tuple[str, ...]
    scores: tuple[tuple[str, float], ...]
    margin: float
    reason: str = ""


# ---------------------------------------------------------------- retrieval and answers
@dataclass(frozen=True, slots=True)
class HeadScore:
    """What one head (dense, lexical, soft, graph) says about a passage: its own score, its rank from 1, and what that
    adds to the fused score, `part` in [0, 1]."""

    head: str
    score: float
    rank: int
    part: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `text` is the document's text from `start` to `end`; `source` names what found it (JSON: from).

    quotes: character spans in the document of the sentences that an answer quotes from it.
    heads: what each head that found it says about it.
    """

    document: str
    chunk_id: str
    heading: str
    page: int | None
    start: int
    end: int
    text: str
    score: float
    source: str
    quotes: tuple[tuple[int, int], ...] = ()
    heads: tuple[HeadScore, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """One clause as a strategy gets it: its text, its vector (empty without an embedder) and its language."""

    text: str
    vector: NDArray[np.float32]
    language: str
    top_k: int = 5


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a strategy found for one clause.

    rows: SQL result of a relational strategy, its statement in `rows.sql`; table: the table's name and document.
    path: names along a graph walk. answer: an answer that needs no source (arithmetic, greeting).
    degraded: why a modality failed, when it did. unexplained: the question's words, as written, that no table explains
    though the question was read as one for tables.
    """

    hits: tuple[Hit, ...] = ()
    rows: Rows | None = None
    table: TableSchema | None = None
    answer: str | None = None
    path: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    degraded: str = ""
    unexplained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """A finished span: `parent` is the parent's index in the trace's span list, -1 for the root; times in
    milliseconds."""

    name: str
    parent: int
    start_ms: float
    ms: float
    attributes: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """A span that starts (`ms` is None) or has ended, as a listener hears of it.

    parent_id: "" for the root; start_ms: since the Unix epoch; attributes: those known so far.
    """

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    start_ms: float
    ms: float | None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with everything that supports it; `answer` is None when nothing does."""

    question: str
    answer: str | None
    route: str
    routes: tuple[str, ...]
    strategy: str
    cached: bool
    sql: str | None
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sources: tuple[Hit, ...]
    decision: RouteDecision
    warnings: tuple[str, ...] = ()
    trace_id: str = ""
    took_ms: float = 0.0
    spans: tuple[SpanRecord, ...] = ()
    path: tuple[str, ...] = ()
    closest: Hit | None = None
    matched_question: str | None = None
    matched_cosine: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Fused passages without an answer."""

    query: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A stored decision beside today's; `differences` is empty when all that is decided agrees exactly."""

    trace_id: str
    same: bool
    stored: RouteDecision
    recomputed: RouteDecision
    differences: tuple[str, ...]


# ---------------------------------------------------------------- ingest
@dataclass(frozen=True, slots=True)
class IngestedTable:
    """A table as the ingest report lists it."""

    name: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file; `routes` counts chunks by home route (a dual-homed chunk counts once, `boundary`
    counts those)."""

    document: str
    status: FileState
    reason: str = ""
    chunks: int = 0
    routes: Mapping[str, int] = field(default_factory=dict)
    tables: tuple[IngestedTable, ...] = ()
    warnings: tuple[str, ...] = ()
    boundary: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """One entry for each file, in the order of their document names."""

    files: tuple[FileReport, ...]
    took_ms: float = 0.0


def as_json(result: Any) -> Any:
    """A result as JSON values: dataclasses become objects, `Hit.source` becomes "from" (a keyword in Python)."""
    if is_dataclass(result) and not isinstance(result, type):
        hit = isinstance(result, Hit)
        return {
            ("from" if hit and f.name == "source" else f.name): as_json(getattr(result, f.name)) for f in fields(result)
        }
    if isinstance(result, Mapping):
        return {str(key): as_json(value) for key, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [as_json(value) for value in result]
    return result
