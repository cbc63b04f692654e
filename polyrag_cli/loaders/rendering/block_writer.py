"""Owns how lists nest: what a renderer meets inside an item becomes lines of one list block, with its markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from polyrag_cli.loaders.rendering.clean_text import CleanText, Line
from polyrag_cli.types import BlockKind


@dataclass(slots=True)
class BlockWriter:
    """Writes blocks into a clean text; blocks inside a list are its lines, indented under their item's marker."""

    out: CleanText
    _indents: list[str] = field(default_factory=list)
    _marker: str = ""
    _pending: list[Line] = field(default_factory=list)

    def add(self, kind: BlockKind, lines: Sequence[Line], level: int = 0) -> None:
        """Adds a block, or lines of the item that is open."""
        if not self._indents:
            self.out.add(kind, lines, level)
            return
        lines = [line for line in lines if line.text.strip()]
        for line in lines:
            self._pending.append(Line((self._marker or self._indents[-1]) + line.text, line.source))
            self._marker = ""

    def add_table(self, rows: Sequence[Sequence[str]], sources: Sequence[int], has_header: bool = True) -> None:
        """Adds a table; it is a block of its own inside a list too."""
        self._flush()
        self.out.add_table(rows, sources, has_header)

    def open_list(self) -> None:
        """Begins a list, inside the open item if there is one."""
        self._indents.append(self._indents[-1] if self._indents else "")

    def item(self, marker: str) -> None:
        """Begins an item of the innermost list. marker: such as "- " or "3. "."""
        if self._indents:
            outer = self._indents[-2] if len(self._indents) > 1 else ""
            self._indents[-1] = outer + " " * len(marker)
            self._marker = outer + marker

    def close_list(self) -> None:
        """Ends the innermost list."""
        if self._indents:
            self._indents.pop()
            self._marker = ""
        if not self._indents:
            self._flush()

    def finish(self) -> None:
        """Ends what is still open."""
        self._indents.clear()
        self._flush()

    def _flush(self) -> None:
        if self._pending:
            self.out.add("list", self._pending)
            self._pending = []
