"""What a question asks for, what is found for it, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyrag_cli.types.routing import RouteDecision
from polyrag_cli.types.spans import SpanRecord
from polyrag_cli.types.tables import Cell, Rows, TableSchema


@dataclass(frozen=True, slots=True)
class HeadScore:
    """What one head (dense, lexical, soft, graph) says about a passage: its own score, its rank from 1, and what that
    adds to the fused score, `part` in [0, 1]."""

    head: str
    score: float
    rank: int
    part: float


@dataclass(frozen=True, slots=True)
class SamePassage:
    """Where else a passage stands: a copy of it, or its translation in another version of its document.

    kind: "copy" or "translation"; language: of its document, "und" when unknown; start, end: offsets in its document.
    """

    kind: str
    document: str
    chunk_id: str
    heading: str
    page: int | None
    start: int
    end: int
    language: str = "und"


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `text` is the document's text from `start` to `end`; `source` names what found it (JSON: from).

    quotes: character spans in the document of the sentences that an answer quotes from it.
    heads: what each head that found it says about it. same: where else it stands, best first.
    """

    document: str
    chunk_id: str
    heading: str
    page: int | None
    start: int
    end: int
    text: str
    score: float
    source: str = field(metadata={"json": "from"})
    quotes: tuple[tuple[int, int], ...] = ()
    heads: tuple[HeadScore, ...] = ()
    same: tuple[SamePassage, ...] = ()


@dataclass(frozen=True, slots=True)
class SecondStatement:
    """What a second writer of SQL made of a clause: its statement with its rows, or the error for which it can't run.

    agrees: whether the rows say what those of the answer say. repaired: whether it is the second attempt.
    """

    writer: str
    sql: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    agrees: bool = False
    error: str = ""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class LinkedSpan:
    """Words of a question and the column that they name; `values` are those of the column that they ask for.

    kind: how they are linked: "whole" (a cell), "member", "part", "inflected", "number", "bound", "date", "state", or
    "column". quality: how surely, from 0 on; long names count more.
    """

    text: str
    kind: str
    column: str
    quality: float
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What another reading of a question answers: its statement, and the first cells of its rows."""

    sql: str
    shown: tuple[Cell, ...]
    score: float


@dataclass(frozen=True, slots=True)
class TableReading:
    """How a clause was read on a table.

    operator: what is asked of the rows. coverage: the share of the question's words that is explained, 0–1; links: what
    the links add; prior: what speaks for the operator; score: 2 · coverage + links + prior, less what stays
    unexplained. confidence: how likely it is right, 0–1; margin: by how much it leads the next answer. others: those,
    best first. evidence: what the confidence is computed from, by the names of its weights.
    """

    operator: str
    spans: tuple[LinkedSpan, ...]
    coverage: float
    links: float
    prior: float
    score: float
    confidence: float
    margin: float
    others: tuple[TableAnswer, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a strategy found for one clause.

    rows: SQL result of a relational strategy, its statement in `rows.sql`; table: the table's name and document.
    path: names along a graph walk. answer: an answer that needs no source (arithmetic, greeting).
    degraded: why a modality failed, when it did. unexplained: the question's words, as written, that no table explains
    though the question was read as one for tables. reading: how the question was read on a table. alternatives: the
    answers between which it was left open. quotable: the passages to quote from, where those aren't the hits.
    """

    hits: tuple[Hit, ...] = ()
    rows: Rows | None = None
    table: TableSchema | None = None
    answer: str | None = None
    path: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    degraded: str = ""
    unexplained: tuple[str, ...] = ()
    second: SecondStatement | None = None
    reading: TableReading | None = None
    alternatives: tuple[TableAnswer, ...] = ()
    quotable: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with everything that supports it; `answer` is None when nothing does.

    second: what a second writer of SQL made of its clauses, where one is configured.
    readings: how clauses were read on tables. alternatives: the answers between which a clause was left open.
    degraded: why stores that were asked for it couldn't be read, one line each; it may lack what they hold.
    probability: that the quotes answer, of several clauses the least; None where nothing could be quoted.
    signs: what the probability is computed from, by the names of its weights; no cosine where nothing is embedded.
    answer_span: the characters of the answer, first and behind the last, that are the very number, date, duration or
    person asked for; None where that can't be told. lacking: of a question without an answer, its words that the
    closest passage doesn't hold, as asked.
    """

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
    degraded: tuple[str, ...] = ()
    second: tuple[SecondStatement, ...] = ()
    readings: tuple[TableReading, ...] = ()
    alternatives: tuple[TableAnswer, ...] = ()
    probability: float | None = None
    answer_span: tuple[int, int] | None = None
    lacking: tuple[str, ...] = ()
    signs: Mapping[str, float] = field(default_factory=dict)


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
