"""Messages that concern the whole application, posted by its workers."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from polyrag_cli.stores.jobs import Job
from polyrag_cli.types import Answer

ADD_FILES = "Add files in the corpus view (f3), or with: polyrag ingest PATH"


class EngineReady(Message):
    """The engine is open: questions run from now on."""


class EngineFailed(Message):
    """The engine can't be opened. text: one line that says why."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What the header says. note: why there are no counts, such as a corpus that isn't there yet; advice: what to do
    about that."""

    name: str
    documents: int = 0
    tables: int = 0
    generation: int = 0
    note: str = ""
    advice: str = ""


class CorpusChanged(Message):
    """The corpus has another generation than when it was last looked at, by whichever process."""

    def __init__(self, summary: CorpusSummary) -> None:
        super().__init__()
        self.summary = summary


class JobsChanged(Message):
    """What work is going on in the data directory, in this process or another."""

    def __init__(self, jobs: tuple[Job, ...]) -> None:
        super().__init__()
        self.jobs = jobs


class PassageOpened(Message):
    """Somebody wants to read a passage where it stands. quotes: spans inside the document to be marked."""

    def __init__(self, document: str, start: int, end: int, quotes: tuple[tuple[int, int], ...] = ()) -> None:
        super().__init__()
        self.document = document
        self.start = start
        self.end = end
        self.quotes = quotes


class TraceOpened(Message):
    """Somebody wants to see a stored trace."""

    def __init__(self, trace_id: str) -> None:
        super().__init__()
        self.trace_id = trace_id


class AnswerShown(Message):
    """The conversation was drawn. answer: its newest one, None without any."""

    def __init__(self, answer: Answer | None) -> None:
        super().__init__()
        self.answer = answer
