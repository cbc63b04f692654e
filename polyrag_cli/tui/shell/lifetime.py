"""Runs the dashboard to its end: an error comes out as itself, and no thread keeps the process."""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
import sys
import threading
import time

from polyrag_cli.tui.shell.ending import STOPPED_BY_SIGNAL, end_at_last
from polyrag_cli.tui.shell.shell import Shell

# What a question that still runs may take at the end.
_GRACE_S = 2.0


def run(app: Shell) -> int:
    """Shows the dashboard until it is left and returns its exit code.

    Work that still runs then, such as an ingest, ends with the process: what it has committed stays. Raises whatever
    ended the dashboard before its time, when the terminal is itself again.
    """
    if not app.served:
        threading.Thread(target=_watch_terminal, args=(sys.stdin.fileno(),), daemon=True).start()
    _speak_utf8()
    loop = asyncio.new_event_loop()
    # Before the terminal is another one: whatever comes while it opens.
    app.ending.listen(loop)
    try:
        app.run(loop=loop)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        # Lets idle threads go; `asyncio.run` would wait for the busy ones as well.
        loop.close()
    if app.failure is not None:
        raise app.failure
    if app.session.trouble and not app.served:
        # The notice of it went with the screen.
        sys.stderr.write(f"polyrag tui: {app.session.trouble}\n")
    code = app.return_code or 0
    if _busy():
        # Threads can't be stopped, and the interpreter would wait for them.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
    app.close_engine()
    return code


def _speak_utf8() -> None:
    """Whatever the locale says: a character that isn't in its encoding would be drawn as several, and all after it in
    the wrong place."""
    if isinstance(sys.__stderr__, io.TextIOWrapper):
        sys.__stderr__.reconfigure(encoding="utf-8")


def _watch_terminal(file: int) -> None:
    """Waits until the terminal is gone and says so: to a process that isn't in the terminal's own session, or whose
    parent was killed, nobody else does."""
    poll = select.poll()
    # Waits for no input: a hang-up is always told.
    poll.register(file, 0)
    poll.poll()
    os.kill(os.getpid(), signal.SIGHUP)
    end_at_last(STOPPED_BY_SIGNAL + signal.SIGHUP)


def _busy() -> bool:
    deadline = time.monotonic() + _GRACE_S
    others = [t for t in threading.enumerate() if t is not threading.current_thread() and not t.daemon]
    for thread in others:
        thread.join(max(0.0, deadline - time.monotonic()))
    return any(thread.is_alive() for thread in others)
