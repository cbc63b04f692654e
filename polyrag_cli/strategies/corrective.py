"""Retrieval that grades what it found, for questions that ask to verify something."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.scoring.confidence import gamma, grade
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import Found, found_hits, hybrid_ranking
from polyrag_cli.strategies.passages import read_chunks, word_stems
from polyrag_cli.text.sentences import sentences
from polyrag_cli.text.stem import stem
from polyrag_cli.text.utterance import Utterance, read
from polyrag_cli.text.words import content_words
from polyrag_cli.tracing import span
from polyrag_cli.types import Chunk, ClauseDecision, Hit, Retrieval

INSUFFICIENT = "the passages found are not sufficient to confirm or deny this"
_SECOND_ROUND = 2


class CorrectiveStrategy:
    """Grades each passage by Γ: correct ones are kept, ambiguous ones lead to a second search around the names.

    Source: Yan et al., Corrective Retrieval Augmented Generation (2024).
    """

    name = "corrective"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The passages graded correct, quotes set to their salient sentences; else the ambiguous ones of the
        second search; else nothing, with a warning."""
        asked = _asked(query.utterance)
        first = self._graded(query, decision, context, asked)
        correct = [hit for hit, mark in first if mark == "correct"]
        if correct:
            return Retrieval(hits=tuple(correct))
        if not any(mark == "ambiguous" for _, mark in first):
            return Retrieval(warnings=(INSUFFICIENT,))
        text = around_names(query.utterance)
        again = replace(
            query,
            utterance=read(text, query.language),
            vector=context.embedder.embed_query(text),
            top_k=_SECOND_ROUND * query.top_k,
        )
        second = self._graded(again, decision, context, asked)
        merged = {hit.chunk_id: hit for hit, mark in [*second, *first] if mark != "incorrect"}
        marks = {hit.chunk_id: mark for hit, mark in [*first, *second] if mark != "incorrect"}
        ranked = sorted(merged.values(), key=lambda h: (marks[h.chunk_id] != "correct", -h.score, h.chunk_id))
        return Retrieval(hits=tuple(ranked[: query.top_k]), warnings=("evidence is ambiguous; searched again",))

    def _graded(
        self, query: Query, decision: ClauseDecision, context: Context, asked: frozenset[str]
    ) -> list[tuple[Hit, str]]:
        found = hybrid_ranking(query, context, decision.route)
        hits = found_hits(found, query, context)
        chunks = read_chunks(context, (hit.chunk_id for hit in hits))
        graded: list[tuple[Hit, str]] = []
        with span("rag.corrective.grade", passages=len(chunks)) as traced:
            for hit in hits:
                chunk = chunks[hit.chunk_id]
                value = _gamma(chunk, found, asked)
                graded.append((replace(_salient(hit, chunk, asked), score=value), grade(value)))
            traced.set_attribute("correct", sum(mark == "correct" for _, mark in graded))
        return graded


def _asked(question: Utterance) -> frozenset[str]:
    """One stem per content word of the question."""
    if question.language == UNDETERMINED:
        return frozenset(word.stems[0] for word in question.content)
    return frozenset(stem(word.folded, question.language) for word in question.content)


def _gamma(chunk: Chunk, found: Found, asked: frozenset[str]) -> float:
    held = word_stems(f"{chunk.title} {chunk.heading} {chunk.text}", chunk.language)
    return gamma(found.cosines.get(chunk.chunk_id, 0.0), asked, held)


def _salient(hit: Hit, chunk: Chunk, asked: frozenset[str]) -> Hit:
    """The hit with the sentences that hold words of the question as its quotes."""
    spans = tuple(
        (chunk.start + start, chunk.start + end)
        for start, end in sentences(chunk.text)
        if asked & word_stems(chunk.text[start:end], chunk.language)
    )
    return replace(hit, quotes=spans) if spans else hit


def around_names(question: Utterance) -> str:
    """The question reduced to its names and content words, the names first."""
    names = [question.text[start:end] for start, end in question.capitals]
    inside = {word.folded for name in names for word in content_words(name, question.language)}
    rest = [word.text for word in question.content if word.folded not in inside]
    return " ".join([*names, *rest]) or question.text
