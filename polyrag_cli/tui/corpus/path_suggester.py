"""Completes the path that is being typed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual.suggester import Suggester


def completed(typed: str) -> str | None:
    """The typed path with the first entry of its folder that begins so; None when there is none.

    Folders come first and end with a slash; hidden entries are only offered when a dot was typed,
    names that can't be drawn never.
    """
    if not typed:
        return None
    head, slash, begun = typed.rpartition("/")
    try:
        folder = Path(head + slash if slash else ".").expanduser()
        entries = sorted(
            (entry for entry in folder.iterdir() if entry.name.startswith(begun) and entry.name.isprintable()),
            key=lambda entry: (not entry.is_dir(), entry.name),
        )
    except (OSError, RuntimeError, ValueError):
        return None
    for entry in entries:
        if begun.startswith(".") or not entry.name.startswith("."):
            whole = head + slash + entry.name + ("/" if entry.is_dir() else "")
            return whole if whole != typed else None
    return None


class PathSuggester(Suggester):
    """Suggests what `completed` finds."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The completed path; its folder is read in a thread."""
        return await asyncio.to_thread(completed, value)
