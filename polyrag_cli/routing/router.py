"""Owns the routing decision: three stages for the clauses of a question, and for the chunks of a document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.providers.base import Embedder
from polyrag_cli.routing import heuristics
from polyrag_cli.routing.anchors import AnchorMatrix, AnchorScores, anchor_matrix
from polyrag_cli.routing.base import AUTO, DIRECT, SCORED_CHARACTERS, CatalogReader
from polyrag_cli.routing.chunk_homes import chunk_homes
from polyrag_cli.routing.clauses import Clause, split
from polyrag_cli.routing.evidence import ClauseEvidence, EvidenceReader
from polyrag_cli.routing.strategies import choose_strategy
from polyrag_cli.scoring.margin import MarginRule, margin, verdict
from polyrag_cli.stores.base import Snapshot, Stores
from polyrag_cli.text.fold import fold
from polyrag_cli.text.words import Word, words
from polyrag_cli.tracing import span
from polyrag_cli.types import Chunk, ChunkRoute, ClauseDecision, RouteDecision, RouteScore

_DECIMALS = 6
_NO_SCORES = AnchorScores((), ())
_NO_EVIDENCE = ClauseEvidence({}, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ClauseInputs:
    """All that a clause is decided from, thresholds and weights aside; reading it is what costs time.

    text: what is scored of the clause; form: what its form alone decides, so that nothing else was read.
    anchors: in the order of the routes' names, empty without an embedder.
    """

    clause: Clause
    text: str
    tokens: list[Word]
    form: tuple[str, str, str, bool] | None = None
    asks_figure: bool = False
    anchors: AnchorScores = _NO_SCORES
    evidence: ClauseEvidence = _NO_EVIDENCE


@dataclass(frozen=True, slots=True)
class _Scored:
    """One route's numbers before they are ranked."""

    route: Route
    score: RouteScore


class Router:
    """Decides by arithmetic alone where a clause or a chunk belongs.

    routes: at least one; their order doesn't matter. embedder: of dimension 0 when there is none.
    cache_dir: where anchor vectors are kept between processes; None keeps them in memory only.
    """

    def __init__(
        self, routes: Sequence[Route], settings: RoutingSettings, embedder: Embedder, cache_dir: Path | None
    ) -> None:
        self._routes = tuple(sorted(routes, key=lambda route: route.name))
        self._settings = settings
        self._embedder = embedder
        self._cache_dir = cache_dir
        self._evidence = EvidenceReader(self._routes, settings)
        self._fallback = _free_text_route(self._routes)

    @cached_property
    def config_hash(self) -> str:
        """Sha256 over all that decides besides the corpus."""
        return _config_hash(self._routes, self._settings, self._embedder.name)

    @cached_property
    def _questions(self) -> AnchorMatrix:
        return anchor_matrix([route.question_anchors for route in self._routes], self._embedder, self._cache_dir)

    @cached_property
    def _statements(self) -> AnchorMatrix:
        return anchor_matrix([route.chunk_anchors for route in self._routes], self._embedder, self._cache_dir)

    def keep_anchors(self) -> None:
        """Embeds the anchors of questions ahead of the first question: the cache directory keeps them."""
        self._questions  # noqa: B018 - reading it embeds them

    def decide(
        self,
        question: str,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None = None,
    ) -> RouteDecision:
        """The decision for a question, one entry per clause.

        vector: the question's unit vector, shape (d,), where the caller has it; clauses of a compound question are
        embedded here. The decision's `timings` are milliseconds for embed, score and evidence.
        """
        begun = perf_counter()
        timings = {"embed": 0.0, "score": 0.0, "evidence": 0.0}
        inputs = self.read(question, snapshot, stores, catalog, vector, timings)
        decided = tuple(self.conclude(read) for read in inputs)
        took = (perf_counter() - begun) * 1000.0
        return RouteDecision(question, decided, self.config_hash, snapshot.generation, took, timings)

    def read(
        self,
        question: str,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None = None,
        timings: dict[str, float] | None = None,
    ) -> tuple[ClauseInputs, ...]:
        """What each clause of a question is decided from; `timings` is added to. Arguments as for `decide`."""
        clauses = split(question)
        spent = {"embed": 0.0, "score": 0.0, "evidence": 0.0} if timings is None else timings
        own = vector if len(clauses) == 1 else None
        return tuple(self._read(clause, snapshot, stores, catalog, own, spent) for clause in clauses)

    def conclude(self, inputs: ClauseInputs) -> ClauseDecision:
        """The decision that this router's thresholds and weights make of what was read, by a router of the same
        routes."""
        if inputs.form is not None:
            return self._settled(inputs.clause, inputs.text, *inputs.form)
        return self._decided(inputs)

    def route_chunks(
        self, chunks: Sequence[Chunk], vectors: Sequence[NDArray[np.float32]], named: Sequence[Sequence[bool]]
    ) -> list[ChunkRoute]:
        """The home of every chunk of one document; see `chunk_homes.chunk_homes` for the arguments."""
        return chunk_homes(chunks, vectors, named, self._routes, self._statements, self._settings)

    # ------------------------------------------------------------ one clause
    def _read(
        self,
        clause: Clause,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None,
        timings: dict[str, float],
    ) -> ClauseInputs:
        text = " ".join(clause.text[:SCORED_CHARACTERS].split())
        tokens = words(text)
        form = _by_form(text, tokens)
        if form is not None:
            return ClauseInputs(clause, text, tokens, form)
        begun = perf_counter()
        if vector is None and self._embedder.dimension:
            with span("embed.query", embedder=self._embedder.name):
                vector = self._embedder.embed_query(text)
        embedded = perf_counter()
        anchors = _NO_SCORES if vector is None or not vector.size else self._questions.score(vector)
        scored = perf_counter()
        known_vector = vector if vector is not None and vector.size else None
        evidence = self._evidence.read(text, known_vector, snapshot, stores, catalog)
        timings["embed"] += (embedded - begun) * 1000.0
        timings["score"] += (scored - embedded) * 1000.0
        timings["evidence"] += (perf_counter() - scored) * 1000.0
        asks_figure = bool(heuristics.aggregate_word(text, tokens))
        return ClauseInputs(clause, text, tokens, None, asks_figure, anchors, evidence)

    def _settled(
        self, clause: Clause, text: str, route: str, strategy: str, reason: str, answers: bool
    ) -> ClauseDecision:
        """A clause that its form alone decides."""
        target = self._fallback
        return ClauseDecision(
            text=clause.text,
            normalized=fold(text),
            route=route or target.name,
            also=(),
            stage=1,
            scores=(),
            margin=0.0,
            final_margin=0.0,
            tau_high=target.tau_high,
            tau_low=target.tau_low,
            delta_margin=target.delta_margin,
            strategy=strategy,
            reason=reason,
            answerable=answers,
            start=clause.start,
            end=clause.end,
        )

    def _decided(self, inputs: ClauseInputs) -> ClauseDecision:
        clause, anchors, evidence = inputs.clause, inputs.anchors, inputs.evidence
        ranked = self._ranked(inputs)
        by_cosine = sorted(ranked, key=lambda item: (-item.score.score, item.route.name))
        # Both lists are sorted: their first two entries say all about the best and the margin.
        cosines = [item.score.score for item in by_cosine[:2]]
        finals = [item.score.final_score for item in ranked[:2]]
        lead = by_cosine[0].route
        ruling = verdict(cosines, MarginRule(lead.tau_high, lead.tau_low, lead.delta_margin))
        winner, stage, reason = self._winner(ranked, by_cosine, ruling, bool(anchors.scores))
        held = evidence.text - self._settings.unknown_name_penalty * bool(evidence.unknown_names)
        answerable = max(evidence.table, held) >= self._settings.evidence_min
        strategy, why = self._strategy(winner, inputs.text, inputs.tokens, bool(anchors.scores))
        final_margin = margin(finals)
        also: tuple[str, ...] = ()
        if stage == 3 and answerable and len(ranked) > 1 and final_margin < self._settings.boundary_margin:
            also = tuple(item.route.name for item in ranked[:2] if item.route.name != winner.name)[:1]
            reason += f"; final margin {final_margin:.2f} is below {self._settings.boundary_margin:.2f}, so both"
        if not answerable:
            nobody = f" and no store knows {evidence.unknown_names[0]}" if evidence.unknown_names else ""
            reason += f"; evidence is below {self._settings.evidence_min:.2f} everywhere{nobody}"
        return ClauseDecision(
            text=clause.text,
            normalized=fold(inputs.text),
            route=winner.name,
            also=also,
            stage=stage,
            scores=tuple(item.score for item in ranked),
            margin=margin(cosines),
            final_margin=final_margin,
            tau_high=lead.tau_high,
            tau_low=lead.tau_low,
            delta_margin=lead.delta_margin,
            strategy=strategy,
            reason=f"{reason}; {strategy}: {why}",
            answerable=answerable,
            start=clause.start,
            end=clause.end,
        )

    def _ranked(self, inputs: ClauseInputs) -> list[_Scored]:
        """Routes by falling final score, ties by name."""
        settings, anchors, evidence = self._settings, inputs.anchors, inputs.evidence
        # A table that explains little of a question which a passage explains can't lean on its anchors.
        gate = 1.0 if evidence.text < settings.text_min else min(1.0, evidence.table / settings.table_min)
        ranked: list[_Scored] = []
        for i, route in enumerate(self._routes):
            cosine = anchors.scores[i] if anchors.scores else 0.0
            item = evidence.routes.get(route.name)
            held = item.score if item is not None else 0.0
            if route.store == "relational":
                bonus = settings.aggregate_bonus if inputs.asks_figure else 0.0
                final = gate * (cosine + bonus) + settings.table_weight * held
            else:
                final = cosine + settings.text_weight * held
            anchor = anchors.nearest[i] if anchors.nearest else ""
            ranked.append(_Scored(route, RouteScore(route.name, cosine, round(final, _DECIMALS), anchor, item)))
        return sorted(ranked, key=lambda scored: (-scored.score.final_score, scored.route.name))

    def _winner(
        self, ranked: list[_Scored], by_cosine: list[_Scored], ruling: str, embedded: bool
    ) -> tuple[Route, int, str]:
        """The route taken, the stage that tipped it, and why."""
        first, lead = ranked[0], by_cosine[0]
        item = first.score.evidence
        held = f"{item.kind} {item.name!r} {item.score:.2f}" if item is not None else "no evidence"
        if not embedded:
            if item is None:
                return self._fallback, 3, "no embedder, so stage 2 is skipped; no evidence, so free text"
            return first.route, 3, f"no embedder, so stage 2 is skipped; the stores say {held}"
        top, gap = lead.score.score, margin([scored.score.score for scored in by_cosine[:2]])
        if ruling == "take":
            return lead.route, 2, f"cosine {top:.2f} and margin {gap:.2f} reach the thresholds of {lead.route.name}"
        if ruling == "free" and (item is None or item.score < self._settings.evidence_min):
            return self._fallback, 2, f"best cosine {top:.2f} is below tau_low and no store holds more, so free text"
        turned = "confirm" if first.route is lead.route else f"overrule {lead.route.name} for"
        gray = f"cosine {top:.2f}, margin {gap:.2f}: gray"
        return first.route, 3, f"{gray}; the stores {turned} {first.route.name} ({held})"

    def _strategy(self, route: Route, text: str, tokens: list[Word], with_vectors: bool) -> tuple[str, str]:
        if route.store == "vector" and route.strategy == AUTO:
            return choose_strategy(text, tokens, with_vectors)
        return route.strategy, f"configured for {route.name}"


def _by_form(text: str, tokens: list[Word]) -> tuple[str, str, str, bool] | None:
    """Route ("" for free text), strategy, reason and whether it can be answered, for what needs no scores."""
    if heuristics.is_greeting(text):
        return DIRECT, DIRECT, "a greeting needs no store", True
    if heuristics.is_arithmetic(text):
        return DIRECT, DIRECT, "arithmetic needs no store", True
    if not tokens:
        return "", "lexical", "no words to look for", False
    quoted = heuristics.quoted_strings(text)
    if len(quoted) == 1 and len(words(quoted[0])) == len(tokens):
        return "", "lexical", "a quoted string is looked up as it stands", True
    if len(tokens) == 1 and heuristics.is_identifier(tokens[0]):
        return "", "lexical", f"the identifier {tokens[0].text} is looked up as it stands", True
    return None


def _free_text_route(routes: Sequence[Route]) -> Route:
    """Where a question without a clear home goes: a route over the vector index, "vectorial" before others."""
    order = {"vector": 0, "graph": 1, "relational": 2}
    return min(routes, key=lambda route: (order[route.store], route.name != "vectorial", route.name))


def _config_hash(routes: Sequence[Route], settings: RoutingSettings, embedder: str) -> str:
    """Sha256 over all that decides besides the corpus: routes with anchors and thresholds, settings, embedder."""
    state = {"routes": [_state(route) for route in routes], "settings": asdict(settings), "embedder": embedder}
    return hashlib.sha256(json.dumps(state, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _state(route: Route) -> dict[str, object]:
    """All of a route that decides; that it is enabled goes without saying."""
    return {name: value for name, value in asdict(route).items() if name != "enabled"}
