"""The dashboard application: its tabs, its keys, and the threads that questions run in.

Owns the conversation's state. Workers post messages; only handlers here change it. Must never import a command.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, TabbedContent, TabPane

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.tui.chat_view import ChatView
from polyrag_cli.tui.corpus_view import CorpusView
from polyrag_cli.tui.events import Answered, Asked, Decided, Refused, SpanSeen
from polyrag_cli.tui.feed import Feed
from polyrag_cli.tui.header_line import HeaderLine
from polyrag_cli.tui.messages import CorpusChanged, CorpusSummary, EngineFailed, EngineReady, EventsWaiting, JobsChanged
from polyrag_cli.tui.monitor import look
from polyrag_cli.tui.search_view import SearchView
from polyrag_cli.tui.state import State, reduce
from polyrag_cli.tui.telemetry_view import TelemetryView
from polyrag_cli.tui.view import EngineError, View

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.jobs import Job

# How often the data directory is looked at for what other processes did.
_LOOK_EVERY_S = 1.0
# Threads that ingest must hand over to the one that draws sooner than Python's 5 ms.
_SWITCH_INTERVAL_S = 0.001


class PolyRAGApp(App[None]):
    """The dashboard.

    open_engine: opens the engine; called once, in a thread, so that the first frame doesn't wait for it.
    """

    TITLE = "PolyRAG"
    CSS_PATH = "polyrag.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - declared so by App
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "show_tab('chat')", "Chat", show=False),
        Binding("f3", "show_tab('corpus')", "Corpus", show=False),
        Binding("f4", "show_tab('search')", "Search", show=False),
        Binding("f5", "show_tab('telemetry')", "Telemetry", show=False),
    ]

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        super().__init__()
        self.engine: Future[Engine] = Future()
        self.state = State()
        self._open_engine = open_engine
        self._feed = Feed(self._wake)
        self._turns = 0
        self._summary: CorpusSummary | None = None
        self._jobs: tuple[Job, ...] = ()

    def compose(self) -> ComposeResult:
        yield HeaderLine()
        with TabbedContent(initial="chat"):
            with TabPane("Chat", id="chat"):
                yield ChatView()
            with TabPane("Corpus", id="corpus"):
                yield CorpusView()
            with TabPane("Search", id="search"):
                yield SearchView()
            with TabPane("Telemetry", id="telemetry"):
                yield TelemetryView()
        yield Footer()

    def on_mount(self) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL_S)
        self.run_worker(self._open, thread=True, group="engine", exit_on_error=False)

    @property
    def views(self) -> list[View]:
        """All views, in the order of their tabs."""
        return list(self.query(View))

    # ------------------------------------------------------------ the engine and the corpus
    def _open(self) -> None:
        try:
            engine = self._open_engine()
            self.engine.set_result(engine)
        except PolyRAGError as error:
            self.engine.set_exception(error)
            self.post_message(EngineFailed(str(error)))
            return
        self.post_message(EngineReady())

    def on_engine_ready(self) -> None:
        self._look()
        self.set_interval(_LOOK_EVERY_S, self._look)

    def on_engine_failed(self, message: EngineFailed) -> None:
        self.notify(message.text, severity="error", timeout=30)

    def on_engine_error(self, message: EngineError) -> None:
        self.notify(message.text, severity="error")

    def _look(self) -> None:
        known, jobs = self._summary, self._jobs

        def work() -> None:
            for message in look(self.engine.result(), known, jobs):
                self.post_message(message)

        self.run_worker(work, thread=True, group="look", exclusive=True, exit_on_error=False)

    def on_corpus_changed(self, message: CorpusChanged) -> None:
        self._summary = message.summary
        self.query_one(HeaderLine).summary = message.summary
        for view in self.views:
            view.corpus_changed(message.summary)

    def on_jobs_changed(self, message: JobsChanged) -> None:
        self._jobs = message.jobs
        for view in self.views:
            view.jobs_changed(message.jobs)

    # ------------------------------------------------------------ questions
    def _wake(self) -> None:
        self.post_message(EventsWaiting())

    def ask(
        self, question: str, route: str | None = None, strategy: str | None = None, beside: int | None = None
    ) -> int:
        """Puts a question and returns its turn's number; what becomes of it arrives as events."""
        self._turns += 1
        asked = Asked(self._turns, question, route, strategy, beside)
        self._feed.put(asked)
        self.run_worker(partial(self._answer, asked), thread=True, group="questions", exit_on_error=False)
        return asked.turn

    def _answer(self, asked: Asked) -> None:
        """Runs in a thread: the engine's spans, decision and answer become events."""
        from polyrag_cli import tracing

        put, turn = self._feed.put, asked.turn
        try:
            engine = self.engine.result()
            with tracing.listening(lambda span: put(SpanSeen(turn, span))):
                answer = engine.ask(
                    asked.question,
                    route=asked.route,
                    strategy=asked.strategy,
                    use_cache=asked.beside is None,
                    on_decision=lambda decision: put(Decided(turn, decision)),
                )
        except PolyRAGError as error:
            put(Refused(turn, str(error)))
        except Exception as error:  # noqa: BLE001 - the boundary of the thread: the dashboard stays open
            put(Refused(turn, f"unexpected {type(error).__name__}: {error}"))
        else:
            put(Answered(turn, answer))

    def on_events_waiting(self) -> None:
        self.state = reduce(self.state, self._feed.take())
        self.query_one(ChatView).show(self.state)

    # ------------------------------------------------------------ keys
    def action_show_tab(self, tab: str) -> None:
        """Brings a tab to the front."""
        self.query_one(TabbedContent).active = tab
