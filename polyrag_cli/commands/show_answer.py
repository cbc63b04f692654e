"""How an answer looks on a terminal and in a pipe."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import clip, console, milliseconds, print_wrapped, printable, write
from polyrag_cli.commands.show_route import show_decision
from polyrag_cli.commands.show_trace import show_spans
from polyrag_cli.commands.summary import decision_line
from polyrag_cli.errors import PolyRAGError
from polyrag_cli.types import Answer, Hit

_MARK = re.compile(r"\[(\d+)\]")


def show_answer(answer: Answer, document_text: Callable[[str], str], explain: bool) -> None:
    """Prints an answer: itself first and alone on its lines, then what supports it, then the decision."""
    out, err = console(), console(stderr=True)
    write(answer.answer if answer.answer is not None else nothing_found(answer))
    if answer.sql:
        _show_sql(out, answer)
    _show_sources(out, answer, document_text)
    if answer.path:
        out.print(Text("  path  " + " → ".join(answer.path)), soft_wrap=True)
    for warning in answer.warnings:
        err.print(Text(f"  note: {warning}", style="yellow"), soft_wrap=True)
    if explain:
        out.print()
        if answer.cached:
            print_wrapped(out, f"from the cache; decided when “{answer.matched_question}” was asked:", style="dim")
            out.print()
        show_decision(answer.decision, out)
        out.print()
        show_spans(answer.spans, out)
    where = out if out.is_terminal else err
    if out.is_terminal:
        out.print()
    where.print(Text(summary(answer), style="dim"), soft_wrap=True)


def nothing_found(answer: Answer) -> str:
    """What is said when nothing supports an answer, with the closest heading."""
    if answer.closest is None:
        return "Nothing in this corpus answers that."
    return f"Nothing in this corpus answers that. Closest: {place(answer.closest)} ({answer.closest.score:.2f})."


def summary(answer: Answer) -> str:
    """The one-line decision."""
    tail = milliseconds(answer.took_ms) + (f" · trace {answer.trace_id[:8]}" if answer.trace_id else "")
    if answer.cached:
        before = clip(answer.matched_question or "", 80)
        return f"cached · asked before as “{before}” (cosine {answer.matched_cosine or 1:.2f}) · {tail}"
    return " | ".join(decision_line(c) for c in answer.decision.clauses) + f" · {tail}"


def place(hit: Hit) -> str:
    """Document and heading of a passage."""
    page = f" p. {hit.page}" if hit.page else ""
    return f"{hit.document}{page} › {hit.heading}" if hit.heading else f"{hit.document}{page}"


def _show_sql(out: Console, answer: Answer) -> None:
    out.print()
    for line in (answer.sql or "").split("\n"):
        out.print(Text("  " + line, style="cyan"), soft_wrap=True)
    for name in dict.fromkeys(hit.document for hit in answer.sources if hit.source == "sql"):
        out.print(Text("  " + printable(name), style="dim"), soft_wrap=True)
    if len(answer.rows) > 1:
        from polyrag_cli.commands.show_rows import show_rows

        out.print()
        show_rows(answer.columns, answer.rows[:20], out, indent=2)
        if len(answer.rows) > 20:
            out.print(Text(f"  … {len(answer.rows) - 20} more rows", style="dim"))


def _show_sources(out: Console, answer: Answer, document_text: Callable[[str], str]) -> None:
    cited = sorted({int(n) for n in _MARK.findall(answer.answer or "")})
    hits = [(n, answer.sources[n - 1]) for n in cited if 0 < n <= len(answer.sources)]
    if hits:
        out.print()
    places = [clip(place(hit), max(24, out.width - 28)) for _, hit in hits]
    width = max((len(text) for text in places), default=0)
    for (n, hit), text in zip(hits, places, strict=True):
        row = Text(f"  [{n}] {text:<{width}}")
        row.append(f"  {lines_of(hit, document_text):<12} {hit.score:5.2f}", style="dim")
        out.print(row, soft_wrap=True)


def lines_of(hit: Hit, document_text: Callable[[str], str]) -> str:
    """The lines on which a passage's quotes stand, or all of it when none is quoted, counted from 1."""
    try:
        text = document_text(hit.document)
    except PolyRAGError:
        return ""
    start, end = (hit.quotes[0][0], hit.quotes[-1][1]) if hit.quotes else (hit.start, hit.end)
    first = text.count("\n", 0, start) + 1
    last = text.count("\n", 0, max(start, end - 1)) + 1
    return f"line {first}" if first == last else f"lines {first}–{last}"
