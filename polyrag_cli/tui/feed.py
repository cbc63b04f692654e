"""Events on their way from worker threads to the application, however fast they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

from polyrag_cli.tui.events import Answered, Decided, Event, Refused

_NEWS = (Decided, Answered, Refused)


class Feed:
    """Collects events of any thread, and wakes its reader once for all that came since it last took them.

    Only decisions and ends wake it. Of all else there is much, it would interrupt the thread that answers, and it can
    wait for the next event or for the reader's own rhythm.

    wake: called from the thread that put the first such event after a `take`; must be safe in any thread.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._events: deque[Event] = deque()
        self._awake = False
        self._lock = Lock()

    def put(self, event: Event) -> None:
        """Adds an event."""
        with self._lock:
            self._events.append(event)
            wake = not self._awake and isinstance(event, _NEWS)
            self._awake = self._awake or wake
        if wake:
            self._wake()

    def take(self) -> list[Event]:
        """All events since the last call, in the order in which they were put."""
        with self._lock:
            events = list(self._events)
            self._events.clear()
            self._awake = False
        return events
