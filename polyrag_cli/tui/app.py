"""The dashboard: the application with its four tabs, over an engine that opens while the first frame is drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from polyrag_cli.errors import PolyRAGError, told
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.messages import CorpusChanged, CorpusSummary, EngineFailed, EngineReady, JobsChanged
from polyrag_cli.tui.shell.header_line import HeaderLine
from polyrag_cli.tui.shell.monitor import look
from polyrag_cli.tui.shell.shell import Shell
from polyrag_cli.tui.shell.tab_stack import TabPage, TabStack
from polyrag_cli.tui.view import EngineError

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.jobs import Job

# How often the data directory is looked at for what other processes did.
_LOOK_EVERY_S = 1.0
# Threads that ingest must hand over to the one that draws sooner than Python's 5 ms.
_SWITCH_INTERVAL_S = 0.001


class PolyRAGApp(Shell):
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
        self._open_engine = open_engine
        # Set once all views are there.
        self.filled = False
        # Set once the first question will be no slower than the next.
        self.warm = False
        self.summary: CorpusSummary | None = None
        self._jobs: tuple[Job, ...] = ()

    def compose(self) -> ComposeResult:
        yield HeaderLine()
        with TabStack(initial="chat"):
            with TabPage("Chat", id="chat"):
                yield ChatView(self.questions)
            # Filled after the first frame, which doesn't show them.
            yield TabPage("Corpus", id="corpus")
            yield TabPage("Search", id="search")
            yield TabPage("Telemetry", id="telemetry")
        yield self.footer

    def on_mount(self) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL_S)
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
            await self.front.query_one(f"TabPane#{tab}").mount(view)
        self.front.take_focus()
        self.filled = True

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
        known, jobs = self.summary, self._jobs

        def work() -> None:
            for message in look(self.engine.result(), known, jobs):
                self.post_message(message)

        self.run_worker(work, thread=True, group="look", exclusive=True, exit_on_error=False)

    def on_corpus_changed(self, message: CorpusChanged) -> None:
        self.summary = message.summary
        self.query_one(HeaderLine).summary = message.summary
        for view in self.front.views:
            view.corpus_changed(message.summary)

    def on_jobs_changed(self, message: JobsChanged) -> None:
        self._jobs = message.jobs
        for view in self.front.views:
            view.jobs_changed(message.jobs)

    # ------------------------------------------------------------ keys
    def action_show_tab(self, tab: str) -> None:
        """Brings a tab to the front."""
        self.front.show_tab(tab)
        self.front.take_focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Tabs don't change behind a screen that stands over them."""
        return self.screen is self.front if action == "show_tab" else True
