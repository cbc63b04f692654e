"""The command palette's commands: every action that has a key, wherever it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, cast

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from polyrag_cli.tui.shell.key_list import Entry, entries


class Performs(Protocol):
    """An application that runs the actions of its key list."""

    def perform(self, entry: Entry) -> Awaitable[None]: ...


class ViewCommands(Provider):
    """Actions of the application and of all its views; one of another tab brings that tab to the front first."""

    async def discover(self) -> Hits:
        """All commands, in the order of the tabs; themes come last."""
        for name, keys, run in self._commands():
            yield DiscoveryHit(name, run, help=keys)

    async def search(self, query: str) -> Hits:
        """The commands whose name fits what was typed."""
        matcher = self.matcher(query)
        for name, keys, run in self._commands():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=keys)

    def _commands(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Name, keys and what to call, of each command."""
        perform = cast("Performs", self.app).perform
        # The palette can't do anything useful in itself.
        named = [entry for entry in entries(self.app) if entry.action != "command_palette"]
        actions = [(_name(entry), entry.keys, partial(perform, entry)) for entry in named]
        system = [(c.title, c.help, c.callback) for c in self.app.get_system_commands(self.screen)]
        return [*actions, *system]


def _name(entry: Entry) -> str:
    return entry.description if not entry.tab else f"{entry.where}: {entry.description}"


class Palette(CommandPalette):
    """The command palette, which closes once, however often it is told to."""

    def dismiss(self, result: object = None) -> AwaitComplete:
        """Closes the palette if it is in front; otherwise it does nothing."""
        return super().dismiss(result) if self.is_active else AwaitComplete()  # type: ignore[arg-type]
