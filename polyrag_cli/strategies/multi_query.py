"""Several queries made of one question, fused by rank: for comparisons and breadth.

Owns the deterministic splitting of a question into queries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.schema import Language
from polyrag_cli.scoring.fusion import rrf
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import Found, found_hits, hybrid_ranking, said_of
from polyrag_cli.text.utterance import Utterance, read
from polyrag_cli.text.words import content_words
from polyrag_cli.types import ClauseDecision, HeadScore, Retrieval

MAX_QUERIES = 5
_SIGN = "[,;:/]"
_SAID = 3


class MultiQueryStrategy:
    """The whole question and its parts, each searched alone, fused by Reciprocal Rank Fusion."""

    name = "multi_query"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The chunks with the highest sum of reciprocal ranks over all queries."""
        rankings = [hybrid_ranking(query, context, decision.route)]
        for text in sub_queries(query.utterance):
            part = replace(query, utterance=read(text, query.language), vector=context.embedder.embed_query(text))
            rankings.append(hybrid_ranking(part, context, decision.route))
        ranked = rrf([[i for i, _ in found.ranked] for found in rankings], context.settings.rrf_k)
        sources: dict[str, str] = {}
        spans: dict[str, tuple[int, int]] = {}
        heads: dict[str, tuple[HeadScore, ...]] = {}
        # Copies and translations are taken as one: what is shown may stand further down.
        chosen = [i for i, _ in ranked[: _SAID * query.top_k]]
        for found in rankings:
            for chunk_id, name in found.sources.items():
                sources.setdefault(chunk_id, name)
            for chunk_id, where in found.spans.items():
                spans.setdefault(chunk_id, where)
            for chunk_id, said in said_of(found, chosen).items():
                heads.setdefault(chunk_id, said)
        return Retrieval(hits=found_hits(Found(tuple(ranked), sources, spans), query, context, heads))


@dataclass(frozen=True)
class _Joints:
    """border: what parts two pieces of a question; dangling: what is left of that at the ends of a piece."""

    border: re.Pattern[str]
    dangling: re.Pattern[str]


@cache
def _joints(language: Language) -> _Joints:
    words = language.retrieval.joints
    if language.code == UNDETERMINED:
        # What joins in one language is an article of another.
        words -= language.function_words.articles
    said = rf"(?:{'|'.join(sorted(words))})\.?"
    joint = rf"(?:{_SIGN}|\b{said}(?!\w))"
    return _Joints(
        re.compile(rf"\s*{_SIGN}\s*(?:{said}\s+)?|\s+{said}\s+", re.IGNORECASE),
        re.compile(rf"^\s*{joint}\s*|\s*{joint}\s*$", re.IGNORECASE),
    )


def sub_queries(asked: Utterance) -> tuple[str, ...]:
    """Queries for the parts of a question, at most four, in order; none when it has no parts.

    Two or more names: one query for each, with the others cut out, so that each keeps what is asked of it. Otherwise
    the pieces between commas and conjunctions that hold a content word.
    """
    question, joints = asked.text, _joints(asked.known)
    names = list(asked.capitals)
    distinct = dict.fromkeys(question[start:end] for start, end in names)
    if len(distinct) > 1:
        parts = [_without(question, joints, [s for s in names if question[s[0] : s[1]] != name]) for name in distinct]
    else:
        pieces = [piece.strip(" ?!.") for piece in joints.border.split(question)]
        parts = [piece for piece in pieces if content_words(piece, asked.language)]
        if len(parts) < 2:
            return ()
    return tuple(dict.fromkeys(part for part in parts if part and part != question))[: MAX_QUERIES - 1]


def _without(question: str, joints: _Joints, spans: list[tuple[int, int]]) -> str:
    pieces, position = [], 0
    for start, end in spans:
        pieces.append(question[position:start])
        position = end
    pieces.append(question[position:])
    kept = [piece for piece in (joints.dangling.sub("", piece).strip() for piece in pieces) if piece]
    return " ".join(kept)
