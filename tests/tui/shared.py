"""One dashboard that the tests of a module use one after the other: opening one takes longer than most tests."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from textual.pilot import Pilot
from textual.widgets import ContentSwitcher, Input

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.conversation import Conversation
from polyrag_cli.tui.chat.history import History
from polyrag_cli.tui.corpus.chunk_list import ChunkList
from polyrag_cli.tui.corpus.corpus_view import CorpusView
from polyrag_cli.tui.corpus.document_table import DocumentTable
from polyrag_cli.tui.corpus.file_columns import COLUMNS
from polyrag_cli.tui.shell.commands import DARK
from polyrag_cli.tui.state import State
from tests.tui.pilot import WIDE, Flow, settled, until


class SharedApp:
    """A running dashboard; each test finds it as if it had just been opened. Between two tests it stands still."""

    def __init__(self, app: PolyRAGApp) -> None:
        self.app = app
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        self._pilot = self._runner.run(self._open.enter_async_context(app.run_test(size=WIDE)))
        self._runner.run(until(self._pilot, lambda: app.filled and app.summary is not None, "the views"))

    def run(self, flow: Flow, size: tuple[int, int] = WIDE) -> None:
        """Runs a flow at a size."""

        async def main() -> None:
            await self._pilot.resize_terminal(*size)
            await _as_opened(self.app, self._pilot)
            await flow(self.app, self._pilot)

        self._runner.run(main())

    def close(self) -> None:
        """Closes the application and its engine."""
        self._runner.run(self._open.aclose())
        self._runner.close()
        self.app.close_engine()


async def _as_opened(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: not app.questions.running, "the questions of the test before")
    while app.screen is not app.front:
        app.pop_screen()
        await settled(app, pilot)
    app.clear_notifications()
    app._clipboard = ""
    app.theme = DARK
    _talk_as_opened(app)
    _corpus_as_opened(app.query_one(CorpusView))
    app.front.show_tab("chat")
    app.front.take_focus()
    app.query_one(ChatView).first.focus()
    await settled(app, pilot)


def _talk_as_opened(app: PolyRAGApp) -> None:
    chat = app.query_one(ChatView)
    app.questions.state, app.questions._put = State(), 0
    chat.route = chat.strategy = chat._selected = None
    chat._choices.forced(None, None)
    chat._choices.hint("")
    chat._details.folded = False
    chat._box.asked = History()
    chat._box.load_text("")
    chat.query_one(Conversation)._welcome.display = True
    chat._draw()


def _corpus_as_opened(view: CorpusView) -> None:
    view.remove_class("-detail")
    view.query_one("#detail", ContentSwitcher).current = "contents"
    view.query_one("#file-filter", Input).value = ""
    view._before_graph = "contents"
    view.query_one(ChunkList).go_to(0)
    table = view.query_one(DocumentTable)
    table.sort_by(COLUMNS[0].key)
    table.go_to(0)
