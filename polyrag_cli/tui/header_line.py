"""The first line: what corpus this is and how much is in it. Must never ask the engine."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Static

from polyrag_cli.display.text import clip, counted
from polyrag_cli.tui.messages import CorpusSummary


class HeaderLine(Static):
    """PolyRAG, the corpus's name, its counts and generation."""

    summary: reactive[CorpusSummary | None] = reactive(None)

    def render(self) -> str:
        return f"PolyRAG ─ {_described(self.summary)}" if self.summary else "PolyRAG ─ opening …"


def _described(summary: CorpusSummary) -> str:
    if summary.note:
        return f"{clip(summary.name, 30)} ─ {summary.note}"
    counts = (
        counted(summary.documents, "document"),
        counted(summary.tables, "table"),
        f"generation {summary.generation}",
    )
    return f"{clip(summary.name, 30)} ─ {' · '.join(counts)}"
