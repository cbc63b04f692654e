"""What a strategy is, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from polyrag_cli.config.sections import (
    AnswerProbabilitySettings,
    AnswerSettings,
    RetrievalSettings,
    TableConfidenceSettings,
)
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.providers.base import Embedder
from polyrag_cli.providers.sql_writer import SqlWriter
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.strategies.table_relations import TableRelations
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import ClauseDecision, Retrieval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy works on: one snapshot of the stores, the embedder, the tables' index and their relations.

    sql_writer: the second writer of SQL, where there is one. answer_probability, table_confidence: the weights that say
    how likely quotes and figures answer.
    """

    snapshot: Snapshot
    stores: Stores
    embedder: Embedder
    settings: RetrievalSettings = field(default_factory=RetrievalSettings)
    answer: AnswerSettings = field(default_factory=AnswerSettings)
    tables: TableIndexes = field(default_factory=TableIndexes)
    relations: TableRelations = field(default_factory=TableRelations)
    sql_writer: SqlWriter | None = None
    answer_probability: AnswerProbabilitySettings = field(default_factory=AnswerProbabilitySettings)
    table_confidence: TableConfidenceSettings = field(default_factory=TableConfidenceSettings)


@dataclass(frozen=True, slots=True)
class Query:
    """One clause as a strategy gets it: what was read of it, and its vector (empty without an embedder)."""

    utterance: Utterance
    vector: NDArray[np.float32]
    top_k: int = 5

    @property
    def text(self) -> str:
        """What is asked."""
        return self.utterance.text

    @property
    def language(self) -> str:
        """The code of its language."""
        return self.utterance.language


class Strategy(Protocol):
    """A way to find what answers one clause."""

    name: str

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """What supports an answer to the clause; an empty Retrieval when nothing does.

        decision: the clause's routing decision (home route for the bonus, scores, reason).
        """
