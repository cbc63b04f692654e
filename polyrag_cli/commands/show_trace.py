"""How a span tree looks: names, a waterfall, milliseconds."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from polyrag_cli.display.spans import BLOCK, bar_cells, tree
from polyrag_cli.display.text import clip
from polyrag_cli.types import SpanRecord

NAME_WIDTH = 34
MAX_BAR = 30


def show_spans(spans: Sequence[SpanRecord], out: Console) -> None:
    """Prints spans as a tree beside a waterfall over the root's duration."""
    if not spans:
        out.print(Text("  tracing is off", style="dim"))
        return
    width = max(8, min(MAX_BAR, out.width - NAME_WIDTH - 14))
    for record, prefix in tree(spans):
        offset, length = bar_cells(record.start_ms, record.ms, spans[0].ms, width)
        line = Text(f"  {clip(prefix + record.name, NAME_WIDTH):<{NAME_WIDTH}} ")
        line.append(
            " " * offset + BLOCK * length + " " * (width - offset - length), style="red" if record.error else "cyan"
        )
        line.append(f" {record.ms:8.1f} ms")
        if record.error:
            line.append(f"  failed: {clip(record.error, 40)}", style="red")
        out.print(line, soft_wrap=True)
