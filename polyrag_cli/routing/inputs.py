"""Owns what a clause is decided from: read once, decided from under any thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyrag_cli.routing.anchors import AnchorScores
from polyrag_cli.routing.clauses import Clause
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Evidence

NO_SCORES = AnchorScores((), ())


@dataclass(frozen=True, slots=True)
class Form:
    """What the form of a clause alone decides: stage 1.

    route: "" for the route of free text. answerable: whether there is anything to look for.
    """

    route: str
    strategy: str
    reason: str
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """What speaks for each route, on a scale where 1 means that all content words of the clause are met.

    routes: the strongest item per route name; table, text: the strongest of the table and of the text routes.
    known: share (0–1, weighted by rarity) of the clause's content words that any store holds.
    unknown_names: names in the clause, as it spells them, that no store holds. ingested: False for an empty corpus.
    """

    routes: Mapping[str, Evidence] = field(default_factory=dict)
    table: float = 0.0
    text: float = 0.0
    known: float = 0.0
    unknown_names: tuple[str, ...] = ()
    ingested: bool = True


@dataclass(frozen=True, slots=True)
class ClauseInputs:
    """All that a clause is decided from, thresholds and weights aside; reading it is what costs time.

    asked: what is scored of the clause; form: what its form alone decides, so that nothing else was read.
    anchors: in the order of the routes' names, empty without an embedder.
    """

    clause: Clause
    asked: Utterance
    form: Form | None = None
    asks_figure: bool = False
    anchors: AnchorScores = NO_SCORES
    evidence: ClauseEvidence = ClauseEvidence()
