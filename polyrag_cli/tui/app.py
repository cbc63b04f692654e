"""The dashboard application: its tabs, its keys, and the threads that questions run in.

Owns the conversation's state. Workers post messages; only handlers here change it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import TabbedContent

from polyrag_cli.errors import PolyRAGError, told
from polyrag_cli.tui.asking import ask
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.events import Asked
from polyrag_cli.tui.feed import Feed
from polyrag_cli.tui.messages import (
    CorpusChanged,
    CorpusSummary,
    EngineFailed,
    EngineReady,
    EventsWaiting,
    JobsChanged,
    PassageOpened,
)
from polyrag_cli.tui.shell.frame import Frame
from polyrag_cli.tui.shell.header_line import HeaderLine
from polyrag_cli.tui.shell.monitor import look
from polyrag_cli.tui.shell.tab_stack import TabPage, TabStack
from polyrag_cli.tui.state import State, reduce
from polyrag_cli.tui.view import EngineError, View

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.jobs import Job

# How often the data directory is looked at for what other processes did.
_LOOK_EVERY_S = 1.0
# Threads that ingest must hand over to the one that draws sooner than Python's 5 ms.
_SWITCH_INTERVAL_S = 0.001
_THREADS = 16
# How long a question waits for the frame with its decision at most.
_DRAWING_S = 0.025


class PolyRAGApp(Frame):
    """The dashboard.

    open_engine: opens the engine; called once, in a thread, so that the first frame doesn't wait for it.
    """

    TITLE = "PolyRAG"
    CSS_PATH = "polyrag.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - declared so by App
    VERTICAL_BREAKPOINTS = [(0, "-low"), (10, "-high")]  # noqa: RUF012 - declared so by App
    # Keys of priority are handled before the next key is given to what has the focus.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "show_tab('chat')", "Chat", show=False, priority=True),
        Binding("f3", "show_tab('corpus')", "Corpus", show=False, priority=True),
        Binding("f4", "show_tab('search')", "Search", show=False, priority=True),
        Binding("f5", "show_tab('telemetry')", "Telemetry", show=False, priority=True),
    ]

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        super().__init__()
        self.engine: Future[Engine] = Future()
        self.state = State()
        self._open_engine = open_engine
        self._feed = Feed(self._wake)
        # Set while no decision waits for its frame.
        self.drawn = Event()
        self.drawn.set()
        # Questions, an ingest and views must not wait for one another's threads.
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="polyrag")
        # Looking a widget up costs more than drawing it.
        self._chat = ChatView()
        # Set once all views are there.
        self.filled = False
        # Set once the first question will be no slower than the next.
        self.warm = False
        self._turns = 0
        self._summary: CorpusSummary | None = None
        self._jobs: tuple[Job, ...] = ()

    def compose(self) -> ComposeResult:
        yield HeaderLine()
        with TabStack(initial="chat"):
            with TabPage("Chat", id="chat"):
                yield self._chat
            # Filled after the first frame, which doesn't show them.
            yield TabPage("Corpus", id="corpus")
            yield TabPage("Search", id="search")
            yield TabPage("Telemetry", id="telemetry")
        yield self.footer

    def on_mount(self) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL_S)
        asyncio.get_running_loop().set_default_executor(self._pool)
        # Both import much: the first frame is drawn before them. By way of this application's own queue, where messages
        # wait until all views are there.
        self.call_after_refresh(self.call_later, self._fill)

    async def _fill(self) -> None:
        """Opens the engine and makes the views behind the first; no message about either comes before all are there."""
        self.run_worker(self._open, thread=True, group="engine", exit_on_error=False)
        from polyrag_cli.tui.corpus.corpus_view import CorpusView
        from polyrag_cli.tui.search.search_view import SearchView
        from polyrag_cli.tui.telemetry.telemetry_view import TelemetryView

        for tab, view in (("corpus", CorpusView()), ("search", SearchView()), ("telemetry", TelemetryView())):
            await self.screen_stack[0].query_one(f"TabPane#{tab}").mount(view)
        self.front.take_focus()
        self.filled = True

    @property
    def views(self) -> list[View]:
        """All views, in the order of their tabs."""
        return list(self.query(View))

    # ------------------------------------------------------------ the engine and the corpus
    def _open(self) -> None:
        try:
            engine = self._open_engine()
            self.engine.set_result(engine)
        except Exception as error:  # noqa: BLE001 - the boundary of the thread: every question would wait for ever
            self.engine.set_exception(error)
            self.post_message(EngineFailed(told(error)))
            return
        self.post_message(EngineReady())
        try:
            engine.warm_up()
        except PolyRAGError:
            # What is broken is told by the first question.
            pass
        finally:
            self.warm = True

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
        asked = self._asked(question, route, strategy, beside)
        self._pool.submit(self._run, asked)
        self.take_events()
        return asked.turn

    def compare(self, question: str, routes: tuple[str | None, str | None], strategy: str | None = None) -> None:
        """Puts a question twice, down two routes, one after the other so that neither slows the other down."""
        first, second = self._turns + 1, self._turns + 2
        pair = (
            self._asked(question, routes[0], strategy, second),
            self._asked(question, routes[1], strategy, first),
        )
        self._pool.submit(self._run, *pair)
        self.take_events()

    def _asked(self, question: str, route: str | None, strategy: str | None, beside: int | None) -> Asked:
        self._turns += 1
        asked = Asked(self._turns, question, route, strategy, beside)
        self._feed.put(asked)
        return asked

    def _run(self, *questions: Asked) -> None:
        """Runs in a thread of the pool: a worker of textual's would start it a few milliseconds later."""
        for asked in questions:
            ask(self.engine.result, asked, self._feed.put, self._await_drawing)

    def _await_drawing(self) -> None:
        """Lets a question's thread stand still until its decision is on the screen: both at once would only take
        turns, each slower for it."""
        self.drawn.wait(_DRAWING_S)

    def on_passage_opened(self, message: PassageOpened) -> None:
        from polyrag_cli.tui.shell.passage_screen import PassageScreen

        self.push_screen(PassageScreen(message))

    def on_events_waiting(self) -> None:
        self.take_events()

    def take_events(self) -> None:
        """Brings the state up to date with what has happened, and has it drawn."""
        self.state = reduce(self.state, self._feed.take())
        self._chat.show(self.state)

    # ------------------------------------------------------------ keys
    def action_show_tab(self, tab: str) -> None:
        """Brings a tab to the front."""
        self.front.query_one(TabbedContent).active = tab
        self.front.take_focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Tabs don't change behind a screen that stands over them."""
        return self.screen is self.front if action == "show_tab" else True
