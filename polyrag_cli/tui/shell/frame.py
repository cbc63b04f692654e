"""What surrounds the dashboard's views: help, palette, settings, copying, export, the saved session, a clean end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.errors import NoWidget
from textual.geometry import Size
from textual.notifications import SeverityLevel
from textual.widgets import TabbedContent, TabPane

from polyrag_cli.display.text import printable
from polyrag_cli.tui.messages import EventsWaiting, TraceOpened
from polyrag_cli.tui.shell.front_screen import FrontScreen
from polyrag_cli.tui.shell.header_line import HeaderLine
from polyrag_cli.tui.shell.lifetime import end_at_last, terminal_is_there
from polyrag_cli.tui.shell.palette import ViewCommands
from polyrag_cli.tui.shell.session import Saved, Session, SessionLoaded, SessionNoted, restored
from polyrag_cli.tui.shell.status_line import StatusFooter, status
from polyrag_cli.tui.state import State
from polyrag_cli.tui.view import OpensTraces, ShowsAnswer, View
from polyrag_cli.tui.widgets.modal import Palette

if TYPE_CHECKING:
    from textual.actions import ActionParseResult
    from textual.dom import DOMNode
    from textual.screen import Screen

    from polyrag_cli.engine import Engine
    from polyrag_cli.tui.shell.key_list import Entry
    from polyrag_cli.types import Answer

DARK, LIGHT = "textual-dark", "textual-light"
# What a killed process loses of its session at most.
_SAVE_EVERY_S = 10.0
_PARENT_EVERY_S = 1.0
_LEAST = Size(20, 5)
# Keys whose screens draw slower than a held key repeats; how late a repeat may come; how soon after the key it must be.
_SCREEN_KEYS = frozenset({"ctrl+p", "f1", "f6", "f7", "f8", "f9"})
_LATE_S, _HELD_S = 0.5, 1.0
# Shells give 128 and the signal's number for a process that a signal ended.
_STOPPED_BY_SIGNAL = 128


class Frame(App[None]):
    """The application around its conversation.

    engine, state: kept by the subclass. remembers: whether the session outlives the process. served: whether another
    process shows the application in a browser; it ends with that one. failure: what ended it before its time.
    """

    COMMANDS: ClassVar = {ViewCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "Commands", priority=True),
        Binding("f1", "help", "Help", priority=True),
        Binding("f6", "copy", "Copy …", show=False, priority=True),
        Binding("f7", "export", "Export the conversation", show=False, priority=True),
        Binding("f8", "settings", "Settings", show=False, priority=True),
        Binding("f9", "toggle_dark", "Dark or light", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    engine: Future[Engine]
    state: State
    remembers = False
    served = False
    failure: Exception | None = None

    def __init__(self) -> None:
        super().__init__()
        # Looking a widget up among all costs as much as drawing it.
        self.footer = StatusFooter()
        self._session = Session()
        # Set once the session is back: until then its file holds an earlier run's, and nothing may take its place.
        self._restored = False
        self._started_by = os.getppid()
        self._used = False
        self._key = events.Key("", None)

    def on_mount(self) -> None:
        self.call_after_refresh(_collect_garbage)
        if not self.is_headless:
            # What draws for a browser has put its own in their place.
            self.listen(asyncio.get_running_loop())
        if self.served:
            self.set_interval(_PARENT_EVERY_S, self._end_with_parent)

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Has signals end the application, which runs in `loop` or is about to: one that ended the process would leave
        the terminal as it is then."""
        self._loop_now = loop
        # Only the main thread of a process may listen to signals.
        with suppress(ValueError):
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, self._stop)

    async def on_event(self, event: events.Event) -> None:
        """Drops clicks on what is gone and a held key's late repeats, frees pastes of control characters, and draws for
        _LEAST where the terminal is smaller: the rest is out of sight, as text can't be broken into no cells."""
        if isinstance(event, events.Resize) and (event.size.width < _LEAST.width or event.size.height < _LEAST.height):
            size = Size(max(_LEAST.width, event.size.width), max(_LEAST.height, event.size.height))
            event = events.Resize(size, size)
        self._used = self._used or isinstance(event, (events.Key, events.Paste, events.MouseDown))
        if isinstance(event, events.Paste):
            event.text = printable(event.text.replace("\r\n", "\n").replace("\r", "\n"))
        if isinstance(event, events.MouseDown) and self._is_gone(event):
            return
        if isinstance(event, events.Key):
            repeated, self._key = event.key == self._key.key and event.time - self._key.time < _HELD_S, event
            if repeated and event.key in _SCREEN_KEYS and monotonic() - event.time > _LATE_S:
                return
        await super().on_event(event)

    def _is_gone(self, event: events.MouseDown) -> bool:
        """Whether what is still seen under the mouse was removed since it was drawn; a selection can't begin there."""
        try:
            widget, _ = self.screen.get_widget_at(event.x, event.y)
        except NoWidget:
            return False
        return widget is not self.screen and widget.parent is None

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

    def _stop(self, number: int, _: FrameType | None) -> None:
        """Runs between any two instructions, also while drawing waits for a terminal that is gone."""
        code = _STOPPED_BY_SIGNAL + number
        if self._loop_now.is_closed():
            # All is put back; only work that can't be stopped is still waited for.
            os._exit(code)
        Thread(target=end_at_last, args=(code,), daemon=True).start()
        if self.served or terminal_is_there():
            self._loop_now.call_soon_threadsafe(partial(self.exit, return_code=code))
            return
        # Nothing is left to be put back, and whatever writes to it now would wait for ever.
        try:
            if self._restored:
                self._session.save(self._contents(), at_end=True)
        finally:
            os._exit(code)

    def _end_with_parent(self) -> None:
        if os.getppid() != self._started_by:
            self.exit()

    async def _shutdown(self) -> None:
        if self._restored:
            # The views are gone once they are told that the application ends.
            self._session.save(self._contents(), at_end=True)
        await super()._shutdown()

    @property
    def session_trouble(self) -> str:
        """Why the session couldn't be kept the last time, in one line; "" when it was."""
        return self._session.trouble

    def close_engine(self) -> None:
        """Closes the engine if it is open; only when no thread uses it any more, as its connections are C objects."""
        if self.engine.done() and self.engine.exception() is None:
            self.engine.result().close()

    # ------------------------------------------------------------ an end that nobody asked for
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

    # ------------------------------------------------------------ the session
    def on_engine_ready(self) -> None:
        if not self.remembers:
            return
        folder = self.engine.result().paths.root

        def load() -> None:
            self.post_message(SessionLoaded(self._session.load(folder)))

        self.run_worker(load, thread=True, group="session", exit_on_error=False)

    def on_session_loaded(self, message: SessionLoaded) -> None:
        saved = message.saved
        if saved.note:
            self.notify(saved.note, severity="warning")
        if saved.turns:
            self.state = State(restored(saved.turns, self.state.turns))
            self.post_message(EventsWaiting())
        for view in self.query(View):
            # A view ignores what doesn't fit; what it doesn't expect at all must not end the dashboard either.
            with suppress(TypeError, ValueError, KeyError, AttributeError):
                view.restore(saved.views.get(type(view).__name__, {}))
        if saved.theme in self.available_themes:
            self.theme = saved.theme
        # Whoever writes or clicks already is where they want to be.
        if not self._used and any(pane.id == saved.tab for pane in self._tabs.query(TabPane)):
            self._tabs.active = saved.tab
        self._restored = True
        unchanged = partial(self._session.set_unchanged, self._contents())
        self.run_worker(unchanged, thread=True, group="session", exit_on_error=False)
        self.set_interval(_SAVE_EVERY_S, self._save)

    def _save(self) -> None:
        contents = self._contents()

        def save() -> None:
            note = self._session.save(contents)
            if note:
                self.post_message(SessionNoted(note))

        self.run_worker(save, thread=True, group="session", exit_on_error=False)

    def on_session_noted(self, message: SessionNoted) -> None:
        self.notify(message.text, severity="warning")

    def _contents(self) -> Saved:
        views = {type(view).__name__: view.saved() for view in self.screen_stack[0].query(View)}
        return Saved(self._tabs.active, self.theme, self.state.turns, views)

    def get_default_screen(self) -> FrontScreen:
        """The screen with the views."""
        return FrontScreen(id="_default")

    @property
    def front(self) -> FrontScreen:
        """The screen with the views, whatever stands over it."""
        return cast("FrontScreen", self.screen_stack[0])

    @property
    def _tabs(self) -> TabbedContent:
        return self.screen_stack[0].query_one(TabbedContent)

    # ------------------------------------------------------------ header, footer, notices
    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        if event.tabbed_content is self._tabs:
            self.screen_stack[0].query_one(HeaderLine).active = self._tabs.active
            self.front.take_focus()

    def on_events_waiting(self) -> None:
        # An answer's own frame is drawn first.
        self.call_after_refresh(self._tell_status)

    def _tell_status(self) -> None:
        self.footer.status = status(self.last_answer)

    @property
    def last_answer(self) -> Answer | None:
        """The conversation's newest answer."""
        return next((turn.answer for turn in reversed(self.state.turns) if turn.answer is not None), None)

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

    def on_trace_opened(self, message: TraceOpened) -> None:
        view = next(view for view in self.screen_stack[0].query(View) if isinstance(view, OpensTraces))
        self._tabs.active = next(node.id for node in view.ancestors if isinstance(node, TabPane) and node.id)
        view.open_trace(message.trace_id)

    # ------------------------------------------------------------ what palette and keys do
    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Themes and a picture of the screen; all else comes from the bindings."""
        for name in sorted(self.available_themes):
            kind = "dark" if self.available_themes[name].dark else "light"
            yield SystemCommand(f"Theme: {name}", kind, lambda name=name: setattr(self, "theme", name))
        yield SystemCommand("Save a picture of the screen (SVG)", "", lambda: self.set_timer(0.1, self.save_picture))

    def save_picture(self) -> None:
        """Writes the screen as SVG where the system keeps downloads, or to the browser."""
        self.deliver_screenshot()

    async def perform(self, entry: Entry) -> None:
        """Runs an action of the key list; its tab comes to the front first."""
        if entry.tab:
            self._tabs.active = entry.tab
        await self.run_action(entry.action, entry.node)

    def _put_away(self, kind: type[Screen[None]]) -> bool:
        """Closes the screen that is shown when it is of a kind: the key that opens it closes it as well."""
        if isinstance(self.screen, kind):
            self.pop_screen()
            return True
        return False

    def action_command_palette(self) -> None:
        """Offers all commands, once: an earlier palette may still be on its way out."""
        if not any(isinstance(screen, Palette) for screen in self._nodes):
            self.push_screen(Palette(id="--command-palette"))

    def action_toggle_dark(self) -> None:
        """Changes between the dark and the light theme."""
        self.theme = LIGHT if self.current_theme.dark else DARK

    def action_help(self) -> None:
        """Shows all keys."""
        from polyrag_cli.tui.shell.help_screen import HelpScreen
        from polyrag_cli.tui.shell.key_list import entries

        if not self._put_away(HelpScreen):
            self.push_screen(HelpScreen(entries(cast("App[object]", self))))

    def action_settings(self) -> None:
        """Shows the settings with their origin."""
        from polyrag_cli.tui.shell.settings_screen import SettingsScreen

        if self._put_away(SettingsScreen):
            return
        if not self.engine.done() or self.engine.exception() is not None:
            self.notify("There are no settings to show: the engine isn't open.", severity="warning")
        else:
            self.push_screen(SettingsScreen(self.engine.result().settings))

    def action_copy(self) -> None:
        """Offers what of the answer in front can be copied."""
        from polyrag_cli.tui.shell.copy_screen import CopyScreen
        from polyrag_cli.tui.shell.pieces import pieces

        if self._put_away(CopyScreen):
            return
        found = pieces(self._answer_in_front())
        if not found:
            self.notify("There is no answer to copy from yet.", severity="warning")
        else:
            self.push_screen(CopyScreen(found))

    def _answer_in_front(self) -> Answer | None:
        """What the view in front shows, else the conversation's newest answer."""
        pane = self._tabs.active_pane
        view = None if pane is None else next(iter(pane.query(View)), None)
        return view.shown_answer() if isinstance(view, ShowsAnswer) else self.last_answer

    def action_export(self) -> None:
        """Asks where to write the conversation as Markdown."""
        from polyrag_cli.tui.shell.export_screen import ExportScreen
        from polyrag_cli.tui.shell.transcript import markdown

        if self._put_away(ExportScreen):
            return
        if not self.state.turns:
            self.notify("There is no conversation to export yet.", severity="warning")
        else:
            self.push_screen(ExportScreen(markdown(self.state)))


def _collect_garbage() -> None:
    """From now on, where it was put off while the application opened; what is there by now stays anyway."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
