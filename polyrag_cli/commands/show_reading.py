"""How a question that a table answers was read, and what else it might have asked."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from polyrag_cli.display.text import brief_cell, clip, printable
from polyrag_cli.types import Answer, LinkedSpan, TableAnswer, TableReading

_OTHERS = 2


def show_readings(answer: Answer, out: Console) -> None:
    """Prints how each clause was read on a table: the links of its words, the score, and the runners-up."""
    for reading in answer.readings:
        for line in _lines(reading):
            out.print(Text("  " + line), soft_wrap=True)


def show_alternatives(answer: Answer, err: Console) -> None:
    """Prints the answers between which a question was left open, each with its statement."""
    for other in answer.alternatives[:_OTHERS] if answer.answer is None else ():
        err.print(Text(f"  perhaps: {_told(other)}", style="dim"), soft_wrap=True)


def _lines(reading: TableReading) -> list[str]:
    shown = [f"read as     {reading.operator}"]
    shown += [f"            {_linked(span)}" for span in reading.spans]
    shown.append(
        f"score       2 · coverage {reading.coverage:.2f} + links {reading.links:.2f} + operator {reading.prior:.2f}"
        f" → {reading.score:.2f} · confidence {reading.confidence:.2f}"
    )
    if reading.others:
        shown.append(f"runner-up   {_told(reading.others[0])} · behind by {reading.margin:.2f}")
    return shown


def _linked(span: LinkedSpan) -> str:
    values = f" = {clip(', '.join(span.values), 60)}" if span.values else ""
    return printable(f"“{span.text}” → {span.column}{values} ({span.kind} {span.quality:.2f})")


def _told(other: TableAnswer) -> str:
    shown = clip(", ".join(brief_cell(cell) for cell in other.shown), 60)
    return printable(f"“{shown}” by {other.sql}")
