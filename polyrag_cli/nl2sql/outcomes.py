"""Owns what a question of tables comes to: the candidate that may answer it, or the reason why none may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from polyrag_cli.config.sections import AnswerSettings, TableConfidenceSettings
from polyrag_cli.display.text import brief_cell
from polyrag_cli.nl2sql.coded_names import with_codes
from polyrag_cli.nl2sql.deciding import Candidate, Decision, Run, decide, unreadable
from polyrag_cli.nl2sql.definitions import with_definitions
from polyrag_cli.nl2sql.held_times import beyond
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.question import Question, take_apart
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.table_choice import tables_of
from polyrag_cli.nl2sql.telling_rows import with_what_tells
from polyrag_cli.nl2sql.used_columns import computed_columns, left_out, mixed_units
from polyrag_cli.text.utterance import Utterance

_WEIGHTS = TableConfidenceSettings()
_MIN_CONFIDENCE = AnswerSettings().min_confidence
MIN_MARGIN = 0.03


@dataclass(frozen=True)
class Outcome:
    """What a question of tables comes to: a candidate that may answer, or None with the reason.

    unexplained: the words, as written, for whose sake none may. nearest: values spelled like them.
    alternatives: other answers that it may have, best first. also: other tables that give the same answer.
    empty: the table of which no row matches. evidence: what the confidence in `chosen` is computed from.
    """

    chosen: Candidate | None
    reason: str = ""
    margin: float = 0.0
    confidence: float = 0.0
    unexplained: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    alternatives: tuple[Candidate, ...] = ()
    also: tuple[str, ...] = ()
    empty: TableEntry | None = None
    evidence: Mapping[str, float] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know of the figure: other tables that give it, cells that are left out."""
        if self.chosen is None:
            return ()
        tables = (f"answered by {', '.join(self.also)} as well",) if self.also else ()
        return tables + left_out(computed_columns(self.chosen.reading.proposal.expression, self.chosen.table))


def answer_question(
    asked: Utterance,
    index: SchemaIndex,
    similar: Similar | None,
    run: Run,
    min_confidence: float = _MIN_CONFIDENCE,
    min_margin: float = MIN_MARGIN,
    weights: TableConfidenceSettings = _WEIGHTS,
) -> Outcome:
    """Return the candidate that answers a question from one table, or none with the reason.

    Args:
        similar: cosines of words to column labels, for words that nothing else explains.
        min_confidence: what the best candidate must reach; min_margin: by how much it must lead a different answer.
        weights: of the confidence.
    """
    if not index.names:
        return Outcome(None, "there are no tables")
    question = take_apart(asked)
    if reason := unreadable(question):
        return Outcome(None, reason)
    tables = tables_of(question, index)
    if len(index.names) > 1:
        tables = with_definitions(with_codes(question, tables, index, run), index, run)
    decision = decide(question, tables, similar, run, weights)
    if decision.empty is not None:
        return Outcome(None, f"no row of {decision.empty.schema.name} matches", empty=decision.empty)
    if not decision.candidates:
        return _nothing(question, index, similar)
    best = decision.candidates[0]
    outcome = Outcome(
        best,
        "",
        decision.margin,
        decision.confidence,
        alternatives=decision.candidates[1:],
        also=decision.also,
        evidence=decision.evidence,
    )
    reason, words = _doubt(question, best, decision, min_confidence, min_margin)
    if not reason:
        return replace(outcome, chosen=with_what_tells(best, run))
    nearest = index.postings.nearest_values(words)
    weak = tuple(question.tokens[i].text for i in sorted({*best.score.weak, *best.score.needed}))
    return Outcome(None, reason, decision.margin, decision.confidence, weak, nearest, decision.candidates)


def _doubt(
    question: Question, best: Candidate, decision: Decision, min_confidence: float, min_margin: float
) -> tuple[str, tuple[str, ...]]:
    """Return why the best candidate may not answer, "" where it may, with the words that it leaves unexplained."""
    entries = {entry.column.name: entry for entry in best.table.columns}
    if any(
        beyond(c, entries[c.column]) for r in best.reading.scope.chosen for c in r.conditions if c.column in entries
    ):
        return f"{best.table.schema.name} holds nothing of that time", ()
    spelled = [r for r in best.reading.scope.chosen if r.kind == "spelled"]
    words = tuple(
        question.tokens[i].text
        for i in sorted({*best.score.needed, *decision.named, *(i for r in spelled for i in r.tokens)})
    )
    if words:
        return f"no column or value explains {', '.join(f'“{word}”' for word in words)}", words
    count = len(best.rows.rows)
    if question.find("single", "only") and count > 1:
        return f"{count} answers where one is asked", ()
    if mixed := mixed_units(computed_columns(best.reading.proposal.expression, best.table)):
        return mixed, ()
    if decision.confidence < min_confidence:
        return f"the best reading has a confidence of {decision.confidence:.2f}, below {min_confidence:.2f}", ()
    if decision.margin < min_margin:
        return _apart(best, decision.candidates[1], decision.margin), ()
    return "", ()


def _apart(first: Candidate, second: Candidate, margin: float) -> str:
    """Say what parts two candidates that fit alike."""
    if first.table is not second.table:
        return f"{first.table.schema.name} and {second.table.schema.name} answer differently; name one"
    return f"two readings fit alike (margin {margin:.3f}): {_brief(first)} or {_brief(second)}"


def _brief(candidate: Candidate) -> str:
    """What a candidate answers, and by which column."""
    values = [brief_cell(row[0]) for row in candidate.rows.rows[:2]]
    shown = ", ".join(values) + ("…" if len(candidate.rows.rows) > 2 else "")
    return f"“{shown}” ({candidate.rows.columns[-1]})"


def _nothing(question: Question, index: SchemaIndex, similar: Similar | None) -> Outcome:
    """Say which words no table knows, or that the operation isn't clear."""
    from polyrag_cli.nl2sql.linking import link

    known: set[int] = set()
    for table in tables_of(question, index):
        links = link(question, table, similar)
        known.update(i for named in links.columns for i in named.tokens)
        known.update(i for value in links.values for i in value.tokens)
        known.update(links.label)
    missing = tuple(question.tokens[i].text for i in question.content() if i not in known)
    if missing:
        words = ", ".join(f"“{word}”" for word in missing)
        reason = f"no column or value explains {words}"
        return Outcome(None, reason, unexplained=missing, nearest=index.postings.nearest_values(missing))
    return Outcome(None, "no single table operation fits the question")
