"""A tab's content as the rest of the dashboard knows it, and the application as a tab knows it.

A view asks the engine in a thread, so that the screen never waits.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from polyrag_cli.errors import told

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.jobs import Job
    from polyrag_cli.tui.messages import CorpusSummary
    from polyrag_cli.types import Answer


class Dashboard(Protocol):
    """The application as what is in it knows it. engine: there once it is open, or with the error that kept it shut."""

    @property
    def engine(self) -> Future[Engine]: ...


@runtime_checkable
class ShowsAnswer(Protocol):
    """A view on which an answer is read."""

    def shown_answer(self) -> Answer | None:
        """The answer that is on the screen."""
        ...


@runtime_checkable
class OpensTraces(Protocol):
    """A view that shows stored traces."""

    def open_trace(self, trace_id: str) -> None:
        """Shows a trace."""
        ...


class EngineError(Message):
    """Something that a view asked of the engine failed. text: one line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class View(Container):
    """One tab's content."""

    @property
    def dashboard(self) -> Dashboard:
        """The application that the view is in."""
        return cast("Dashboard", self.app)

    def ask_engine(self, work: Callable[[Engine], Message | None], group: str) -> None:
        """Runs `work` in a thread and posts the message that it returns to this view.

        group: a later call of the same group makes the result of an earlier one, if it still runs, be forgotten.
        Errors reach the application as an EngineError.
        """
        from textual.worker import get_current_worker

        def run() -> None:
            worker = get_current_worker()
            try:
                message = work(self.dashboard.engine.result())
            except Exception as error:  # noqa: BLE001 - the boundary of the thread: nobody would hear of it
                message = EngineError(told(error))
            if message is not None and not worker.is_cancelled:
                self.post_message(message)

        self.run_worker(run, thread=True, group=group, exclusive=True, exit_on_error=False)

    @property
    def first(self) -> Widget:
        """What has the focus when the view comes to the front."""
        return self

    def corpus_changed(self, summary: CorpusSummary) -> None:
        """Called when the corpus has changed; the view shows what is there now."""

    def jobs_changed(self, jobs: tuple[Job, ...]) -> None:
        """Called when what is going on in the data directory has changed."""

    def saved(self) -> dict[str, object]:
        """What of the view survives a restart, as JSON values."""
        return {}

    def restore(self, saved: dict[str, object]) -> None:
        """Takes over what `saved` gave in an earlier run; whatever doesn't fit is ignored."""
