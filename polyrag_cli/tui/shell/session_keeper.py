"""When the session is read and written: once at the start, every few seconds from then on, and at the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.app import App

from polyrag_cli.tui.shell.session import Saved, Session

# What a killed process loses of its session at most.
_SAVE_EVERY_S = 10.0


class SessionKeeper:
    """Brings an earlier run's session back and keeps this one's; the disk is never waited for but at the end.

    contents: what there is to keep now. restore: shows what an earlier run left; both run in the application's thread.
    """

    def __init__(self, app: App[None], contents: Callable[[], Saved], restore: Callable[[Saved], None]) -> None:
        self._app = app
        self._contents = contents
        self._restore = restore
        self._session = Session()
        # Set once the session is back: until then its file holds an earlier run's, and nothing may take its place.
        self._restored = False

    @property
    def trouble(self) -> str:
        """Why the session couldn't be kept the last time, in one line; "" when it was."""
        return self._session.trouble

    def begin(self, folder: Path) -> None:
        """Brings back what is kept in a data directory."""
        self._in_thread(lambda: self._app.call_later(self._take_over, self._session.load(folder)))

    def end(self) -> None:
        """Keeps the session for good, before this returns."""
        if self._restored:
            self._session.save(self._contents(), at_end=True)

    def _take_over(self, saved: Saved) -> None:
        self._note(saved.note)
        self._restore(saved)
        self._restored = True
        self._in_thread(partial(self._session.set_unchanged, self._contents()))
        self._app.set_interval(_SAVE_EVERY_S, self._save)

    def _save(self) -> None:
        contents = self._contents()
        self._in_thread(lambda: self._app.call_later(self._note, self._session.save(contents)))

    def _note(self, note: str) -> None:
        if note:
            self._app.notify(note, severity="warning")

    def _in_thread(self, work: Callable[[], object]) -> None:
        self._app.run_worker(work, thread=True, group="session", exit_on_error=False)
