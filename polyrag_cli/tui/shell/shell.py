"""The application around its tabs: what input reaches it, what every tab has in common, what it keeps, how it ends."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import events
from textual.notifications import SeverityLevel
from textual.widgets import TabbedContent

from polyrag_cli.display.text import printable
from polyrag_cli.tui.messages import AnswerShown, PassageOpened, TraceOpened
from polyrag_cli.tui.questions import Questions
from polyrag_cli.tui.shell.commands import Commands
from polyrag_cli.tui.shell.ending import Ending, terminal_is_there
from polyrag_cli.tui.shell.header_line import HeaderLine
from polyrag_cli.tui.shell.input_filter import InputFilter
from polyrag_cli.tui.shell.session import Saved
from polyrag_cli.tui.shell.session_keeper import SessionKeeper
from polyrag_cli.tui.shell.status_line import StatusFooter, status
from polyrag_cli.tui.view import OpensTraces

if TYPE_CHECKING:
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode

    from polyrag_cli.engine import Engine

_PARENT_EVERY_S = 1.0
_THREADS = 16


class Shell(Commands):
    """The application without its tabs.

    remembers: whether the session outlives the process. served: whether another process shows the application in a
    browser; it ends with that one. failure: what ended it before its time.
    """

    remembers = False
    served = False
    failure: Exception | None = None

    def __init__(self) -> None:
        super().__init__()
        self.engine: Future[Engine] = Future()
        # Questions, an ingest and views must not wait for one another's threads.
        self.pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="polyrag")
        self.questions = Questions(self.engine, self.pool)
        # Looking a widget up among all costs as much as drawing it.
        self.footer = StatusFooter()
        self.session = SessionKeeper(self, self._contents, self._restore)
        self.ending = Ending(
            seen=lambda: self.served or terminal_is_there(),
            leave=lambda code: self.exit(return_code=code),
            keep=self.session.end,
        )
        self._input = InputFilter()
        self._started_by = os.getppid()

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(self.pool)
        self.call_after_refresh(_collect_garbage)
        if not self.is_headless:
            # What draws for a browser has put its own in their place.
            self.ending.listen(loop)
        if self.served:
            self.set_interval(_PARENT_EVERY_S, self._end_with_parent)

    # ------------------------------------------------------------ what reaches it
    async def on_event(self, event: events.Event) -> None:
        """Handles what the filter lets through."""
        passed = self._input.passed(event, self)
        if passed is not None:
            await super().on_event(passed)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Runs an action; paging through a list of options that isn't laid out yet, or has no room, does nothing."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except KeyError:
            # Textual looks such a list's lines up without having any.
            if "page_" not in str(action):
                raise
            return False

    # ------------------------------------------------------------ what is shown in every tab
    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        if event.tabbed_content is self.front.tabs:
            self.front.query_one(HeaderLine).active = event.tabbed_content.active
            self.front.take_focus()

    def on_answer_shown(self, message: AnswerShown) -> None:
        self.footer.status = status(message.answer)

    def on_passage_opened(self, message: PassageOpened) -> None:
        from polyrag_cli.tui.shell.passage_screen import PassageScreen

        self.push_screen(PassageScreen(message))

    def on_trace_opened(self, message: TraceOpened) -> None:
        view = next(view for view in self.front.views if isinstance(view, OpensTraces))
        self.front.show(view)
        view.open_trace(message.trace_id)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """A notice; its text is never read as markup, as it may quote a document."""
        super().notify(printable(message), title=title, severity=severity, timeout=timeout, markup=markup)

    # ------------------------------------------------------------ what is kept
    def on_engine_ready(self) -> None:
        if self.remembers:
            self.session.begin(self.engine.result().paths.root)

    def _contents(self) -> Saved:
        views = {type(view).__name__: view.saved() for view in self.front.views}
        return Saved(self.front.tabs.active, self.theme, self.questions.state.turns, views)

    def _restore(self, saved: Saved) -> None:
        self.questions.restore(saved.turns)
        for view in self.front.views:
            # A view ignores what doesn't fit; what it doesn't expect at all must not end the dashboard either.
            with suppress(TypeError, ValueError, KeyError, AttributeError):
                view.restore(saved.views.get(type(view).__name__, {}))
        if saved.theme in self.available_themes:
            self.theme = saved.theme
        # Whoever writes or clicks already is where they want to be.
        if not self._input.used:
            self.front.show_tab(saved.tab)

    # ------------------------------------------------------------ how it ends
    def _end_with_parent(self) -> None:
        if os.getppid() != self._started_by:
            self.exit()

    async def _shutdown(self) -> None:
        # The views are gone once they are told that the application ends.
        self.session.end()
        await super()._shutdown()

    def close_engine(self) -> None:
        """Closes the engine if it is open; only when no thread uses it any more, as its connections are C objects."""
        if self.engine.done() and self.engine.exception() is None:
            self.engine.result().close()

    def _handle_exception(self, error: Exception) -> None:
        if self._exit or not self._running:
            # It ends anyway: a message that still arrives may find its widgets gone.
            return
        self.failure = self.failure or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Whoever runs the application says what failed, in one line, when the terminal is itself again.
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()


def _collect_garbage() -> None:
    """From now on, where it was put off while the application opened; what is there by now stays anyway."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
