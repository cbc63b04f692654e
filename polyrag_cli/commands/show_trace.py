"""How a span tree looks: names, a waterfall, milliseconds."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import clip
from polyrag_cli.types import SpanRecord

NAME_WIDTH = 34
MAX_BAR = 30


def show_spans(spans: Sequence[SpanRecord], out: Console) -> None:
    """Prints spans as a tree beside a waterfall over the root's duration."""
    if not spans:
        out.print(Text("  tracing is off", style="dim"))
        return
    total = max(spans[0].ms, 1e-6)
    width = max(8, min(MAX_BAR, out.width - NAME_WIDTH - 14))
    for record, prefix in _tree(spans):
        offset = min(width - 1, int(record.start_ms / total * width))
        length = max(1, min(width - offset, round(record.ms / total * width)))
        line = Text(f"  {clip(prefix + record.name, NAME_WIDTH):<{NAME_WIDTH}} ")
        line.append(
            " " * offset + "▇" * length + " " * (width - offset - length), style="red" if record.error else "cyan"
        )
        line.append(f" {record.ms:8.1f} ms")
        if record.error:
            line.append(f"  failed: {clip(record.error, 40)}", style="red")
        out.print(line, soft_wrap=True)


def _tree(spans: Sequence[SpanRecord]) -> list[tuple[SpanRecord, str]]:
    children: dict[int, list[int]] = {}
    for i, record in enumerate(spans):
        children.setdefault(record.parent, []).append(i)
    rows: list[tuple[SpanRecord, str]] = []

    def walk(index: int, prefix: str, branch: str) -> None:
        rows.append((spans[index], prefix + branch))
        inner = children.get(index, [])
        deeper = prefix + ("  " if branch == "└ " else "│ " if branch == "├ " else "")
        for child in inner:
            walk(child, deeper, "└ " if child == inner[-1] else "├ ")

    for root in children.get(-1, []):
        walk(root, "", "")
    return rows
