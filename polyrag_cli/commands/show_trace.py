"""How traces look: a line in a list, where a cached answer came from, the span tree with a waterfall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from polyrag_cli.display.answers import cached_words
from polyrag_cli.display.spans import BLOCK, bar_cells, tree
from polyrag_cli.display.text import clip, milliseconds
from polyrag_cli.stores.activity import TraceRecord
from polyrag_cli.types import SpanRecord

NAME_WIDTH = 34
MAX_BAR = 30
# Of a route's name in a list: two routes joined are longer.
ROUTE_WIDTH = 20
_SHOWN_QUESTION = 200


def trace_lines(traces: Sequence[TraceRecord], width: int | None) -> list[str]:
    """A line per trace: id, duration, route, what is special about it, question.

    width: what a line may take, the question being cut; None leaves the question whole.
    """
    rows = [
        (
            trace.trace_id[:8],
            milliseconds(trace.took_ms),
            clip("+".join(trace.routes), ROUTE_WIDTH),
            "cached" if trace.cached else "nothing" if trace.failed else "",
        )
        for trace in traces
    ]
    took, route, mark = (max((len(row[i]) for row in rows), default=0) for i in (1, 2, 3))
    lines = []
    for row, trace in zip(rows, traces, strict=True):
        head = f"{row[0]}  {row[1]:>{took}}  {row[2]:<{route}}  " + (f"{row[3]:<{mark}}  " if mark else "")
        lines.append(head + clip(trace.question, len(trace.question) if width is None else max(8, width - len(head))))
    return lines


def cached_lines(payload: Mapping[str, Any]) -> list[str]:
    """Which question a stored answer was given to before, how near that one is, and what is shown of it."""
    if not payload.get("cached"):
        return []
    question = payload.get("matched_question") or payload["question"]
    return [
        cached_words(question, payload.get("matched_cosine"), _SHOWN_QUESTION),
        "the decision below is that question's",
    ]


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
