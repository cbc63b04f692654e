"""Owns the readings of a question over related tables: its words linked, their parts combined, and what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.asking import Ask, asked
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.answers import answers
from polyrag_cli.nl2sql.related.asked import Asked, shown_table, state
from polyrag_cli.nl2sql.related.chart import combined
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.linking import linked_spans
from polyrag_cli.nl2sql.related.rendering import RelatedRenderer
from polyrag_cli.nl2sql.related.spans import segmentations
from polyrag_cli.nl2sql.related.unmet import unexpressed, unpaid, unsold
from polyrag_cli.nl2sql.related.ways import Ways
from polyrag_cli.nl2sql.related.weighing import weighed
from polyrag_cli.nl2sql.scoring import Score
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.nl2sql.table_search import sharing
from polyrag_cli.nl2sql.ties import Ties
from polyrag_cli.types import Rows as Result

# So many groups of tables are looked at for one question.
_GROUPS = 2


@dataclass(frozen=True)
class RelatedReading:
    """A way to read a question over related tables; score: what speaks for it, comparable with single tables'."""

    ask: Ask
    database: Database
    asked: Asked
    score: Score

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.ask.question

    @property
    def table(self) -> TableEntry:
        """The table that holds what is shown."""
        return shown_table(self.asked, self.database)

    def render(self) -> tuple[str, tuple[str, ...]]:
        """The SELECT that answers it, and the tables that it reads."""
        renderer = RelatedRenderer(self.database)
        statement = renderer.asked(self.asked)
        return statement, tuple(sorted(renderer.tables))

    def state(self, speaker: Speaker, result: Result) -> str:
        """The answer's first line; speaker: of `table`."""
        return state(self.asked, speaker, result)


def related_readings(
    question: Question, index: SchemaIndex, ties: Ties, similar: Similar | None
) -> Iterator[RelatedReading]:
    """Yield what a question may ask of tables that hang together; none where none do."""
    places = {name: place for place, name in enumerate(index.names)}

    def entry(name: str) -> TableEntry:
        return index.tables[places[name]]

    for names in _asked_about(question, ties.groups, index):
        yield from _readings(question, Database(names, ties, entry), index, similar)


def _asked_about(question: Question, found: Sequence[tuple[str, ...]], index: SchemaIndex) -> Sequence[tuple[str, ...]]:
    """Return the groups of tables, by name, that share the most words with a question."""
    if len(found) <= _GROUPS:
        return found
    group_of = {name: i for i, names in enumerate(found) for name in names}
    shared = [0] * len(found)
    for word in (question.tokens[i] for i in question.content()):
        holding = {group_of.get(index.names[position], -1) for position in sharing(word, index.postings)}
        for i in holding - {-1}:
            shared[i] += 1
    order = sorted((i for i in range(len(found)) if shared[i]), key=lambda i: (-shared[i], i))
    return [found[i] for i in order[:_GROUPS]]


def _readings(
    question: Question, database: Database, index: SchemaIndex, similar: Similar | None
) -> Iterator[RelatedReading]:
    """Yield the readings over one group of tables, the best first; of each thing that may be asked its best."""
    ask, ways = asked(question), Ways(database)
    best: dict[Asked, RelatedReading] = {}
    for chosen in segmentations(linked_spans(question, database, index, similar)):
        covered = {i: 1.0 for span in chosen for i in range(span.first, span.last + 1)}
        unmet = (*unexpressed(question, chosen), *unsold(question, chosen, database))
        for cost, part in combined(chosen, ways):
            for more, found, also in answers(ask, ways, part):
                words = {**dict.fromkeys(also, 1.0), **covered}
                score = weighed(
                    question, words, round(cost + more, 6), (*unmet, *unpaid(question, chosen, found, database))
                )
                if found not in best or score.total > best[found].score.total:
                    best[found] = RelatedReading(ask, database, found, score)
    yield from sorted(best.values(), key=lambda r: (-r.score.total, repr(r.asked)))
