"""What other settings change of a corpus and of questions to it, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING = "nothing"
"""Where a clause goes that no evidence supports."""


@dataclass(frozen=True, slots=True)
class ChunkMove:
    """A chunk's homes (the home, then a second one inside the margin) and its margin, now and then.

    ordinal: its place in the document, from 0. first_line, last_line: where it stands in the document's text, from 1.
    margin: between the two best text routes; of a chunk that looks like a table its tabularity (0-1).
    distance: how far the new margin, or tabularity, lies from where the home would be another one.
    """

    chunk_id: str
    document: str
    heading: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    old_margin: float
    new_margin: float
    distance: float
    ordinal: int
    first_line: int
    last_line: int

    @property
    def changes_home(self) -> bool:
        """Whether the home itself is another one."""
        return self.old[:1] != self.new[:1]


@dataclass(frozen=True, slots=True)
class QuestionMove:
    """A question's routes, one per clause, and the smallest final margin of its clauses, now and then.

    A clause that no evidence supports goes to "nothing". right_before, right_after: whether the labels ask for this;
    None without a label. lost: a question that should be answered was, and no clause of it would be any more.
    """

    question: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    old_margin: float
    new_margin: float
    expected: tuple[str, ...] = ()
    right_before: bool | None = None
    right_after: bool | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """What changes: of `chunks` chunks those with other homes, of `questions` questions those that go elsewhere.

    nearest_*: the unchanged ones that lie nearest to a boundary under the new settings, nearest first.
    judged: questions with a label; right_before, right_after: how many of them go where the label says. declined: how
    many that should be answered were, and would be no longer. notes: what the comparison can't show.
    """

    chunks: int
    changed_chunks: tuple[ChunkMove, ...] = ()
    nearest_chunks: tuple[ChunkMove, ...] = ()
    questions: int = 0
    changed_questions: tuple[QuestionMove, ...] = ()
    nearest_questions: tuple[QuestionMove, ...] = ()
    judged: int = 0
    right_before: int = 0
    right_after: int = 0
    declined: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingImpact:
    """What an ingest changes of a corpus that was ingested under other settings or by another version.

    report: counts alone where nothing was compared. files: how many are read otherwise than they were.
    changes: what differs since the last ingest, the version first, each as "key old → new". noted: whether that ingest
    noted what it ran with. recut: whether passages are cut otherwise, so that today's homes end. from_sets: whether the
    questions are those of gate.sets. skipped: why nothing was compared, else ""; unasked: why no question was, else "".
    """

    report: ImpactReport
    files: int
    changes: tuple[str, ...] = ()
    noted: bool = True
    recut: bool = False
    from_sets: bool = False
    skipped: str = ""
    unasked: str = ""
