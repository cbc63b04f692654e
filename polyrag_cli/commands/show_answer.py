"""How an answer looks on a terminal and in a pipe."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped, write
from polyrag_cli.display.answers import behind, cited, lines_of, nothing_found, place, summary
from polyrag_cli.display.text import clip, printable
from polyrag_cli.errors import PolyRAGError
from polyrag_cli.types import Answer, Hit, LinedText


def show_answer(answer: Answer, lined_text: Callable[[str], LinedText], explain: bool) -> None:
    """Prints an answer: itself first and alone on its lines, then what supports it, then the decision."""
    out = console()
    if answer.answer is None or answer.answer_span is None or not out.is_terminal:
        write(answer.answer if answer.answer is not None else nothing_found(answer))
    else:
        marked = Text(answer.answer)
        marked.stylize("bold", *answer.answer_span)
        out.print(marked, soft_wrap=True)
    show_support(answer, lined_text, explain, summary(answer))


def show_support(answer: Answer, lined_text: Callable[[str], LinedText], explain: bool, last: str) -> None:
    """Prints what supports an answer that is printed already, and `last`, the line below it all."""
    out, err = console(), console(stderr=True)
    if answer.sql:
        _show_sql(out, answer)
    _show_sources(out, answer, lined_text)
    if answer.path:
        out.print(Text("  path  " + " → ".join(answer.path)), soft_wrap=True)
    for warning in answer.warnings:
        err.print(Text(f"  note: {warning}", style="yellow"), soft_wrap=True)
    if answer.alternatives and answer.answer is None:
        from polyrag_cli.commands.show_reading import show_alternatives

        show_alternatives(answer, err)
    if explain:
        from polyrag_cli.commands.show_reading import show_readings
        from polyrag_cli.commands.show_route import show_decision
        from polyrag_cli.commands.show_trace import show_spans

        out.print()
        if answer.cached:
            print_wrapped(out, f"from the cache; decided when “{answer.matched_question}” was asked:", style="dim")
            out.print()
        show_decision(answer.decision, out)
        if answer.readings:
            out.print()
            show_readings(answer, out)
        if answer.probability is not None:
            out.print()
            out.print(Text(f"passages answer this with probability {answer.probability:.2f}"))
        out.print()
        show_spans(answer.spans, out)
    where = out if out.is_terminal else err
    if out.is_terminal:
        out.print()
    where.print(Text(last, style="dim"), soft_wrap=True)


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


def _show_sources(out: Console, answer: Answer, lined_text: Callable[[str], LinedText]) -> None:
    hits = cited(answer)
    if hits:
        out.print()
    places = [clip(place(hit), max(24, out.width - 28)) for _, hit in hits]
    width = max((len(text) for text in places), default=0)
    for (n, hit), text in zip(hits, places, strict=True):
        row = Text(f"  [{n}] {text:<{width}}")
        row.append(f"  {_lines(hit, lined_text):<12} {hit.score:5.2f}", style="dim")
        out.print(row, soft_wrap=True)
        if hit.same:
            out.print(Text("      " + clip(behind(hit), max(24, out.width - 6)), style="dim"), soft_wrap=True)


def _lines(hit: Hit, lined_text: Callable[[str], LinedText]) -> str:
    try:
        return lines_of(hit, lined_text(hit.document))
    except PolyRAGError:
        return ""
