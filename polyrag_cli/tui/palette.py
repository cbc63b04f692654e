"""The command palette's commands: every action that has a key, wherever it is. Must never know what an action does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from polyrag_cli.tui.key_list import Entry, entries

if TYPE_CHECKING:
    from polyrag_cli.tui.frame import Frame


class ViewCommands(Provider):
    """Actions of the application and of all its views; one of another tab brings that tab to the front first."""

    async def discover(self) -> Hits:
        """All commands, in the order of the tabs."""
        for entry in self._entries():
            yield DiscoveryHit(_name(entry), self._run(entry), help=entry.keys)

    async def search(self, query: str) -> Hits:
        """The commands whose name fits what was typed."""
        matcher = self.matcher(query)
        for entry in self._entries():
            score = matcher.match(_name(entry))
            if score > 0:
                yield Hit(score, matcher.highlight(_name(entry)), self._run(entry), help=entry.keys)

    def _entries(self) -> list[Entry]:
        # The palette can't do anything useful in itself.
        return [entry for entry in entries(self.app) if entry.action != "command_palette"]

    def _run(self, entry: Entry) -> Callable[[], Awaitable[None]]:
        return partial(cast("Frame", self.app).perform, entry)


def _name(entry: Entry) -> str:
    return entry.description if not entry.tab else f"{entry.where}: {entry.description}"
